"""The edge to the disk: rulebooks read, checked and put together; results written whole or not at all."""
