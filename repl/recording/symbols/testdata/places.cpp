// g++ -g -O1 -shared -fPIC -nostdlib -Wl,--build-id=sha1 -fno-asynchronous-unwind-tables -fdebug-prefix-map=$PWD=. -o places.so places.cpp; the archive places.tar.gz has
// it, and stripped.so with places.debug, as objcopy --only-keep-debug and --strip-all --add-gnu-debuglink make them.
extern "C" int made(int);

static inline int inner(int n)
{
	return made(n) + 1; // line 7
}

namespace grid {
template <class T> struct Rows {
	__attribute__((noinline)) T split(T n) const
	{
		return inner(n) * 2; // line 14
	}
};
}

template <class T> __attribute__((noinline, noclone)) T apart(T n) // in a section of its own
{
	return made(n) - 1; // line 21
}

extern "C" int work(int n)
{
	grid::Rows<int> rows;
	int twice = made(n); // line 27
	return rows.split(twice) + apart(n); // line 28
}
