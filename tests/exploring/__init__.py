"""Every position of small tables, counted again without the interpreter."""
