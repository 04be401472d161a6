"""Parts of `./bench endpoint`: who can make the servers of this program do something, and how soon a key is shown."""
