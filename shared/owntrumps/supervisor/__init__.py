"""Everything on one machine: the embedded store, all services, one process that starts them and stops them."""
