x=[]
while True:
  x=[x,'a'*100]
