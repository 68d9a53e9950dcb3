"""Tables for browsers: `Session` over HTTP and WebSocket, kept in a store; the page with `<rules-table>` in `page/`.

Needs the extra `play`. `web` speaks HTTP, `live_tables` holds the tables that are played now and says what can
be played, a store keeps events. A table is what its events say, and whoever connects gets its seat's own messages: so
a killed process loses nothing, and several processes can share the tables of a store.
"""
