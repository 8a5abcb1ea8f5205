// start.js: starts the page of a session that has ended, whose document stands on it.

take(JSON.parse($("data").textContent));
addEventListener("hashchange", readLink);
readLink();
