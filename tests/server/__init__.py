"""The server of tables and its page: what a seat gets over a socket, what is kept, what strangers can do."""
