"""Where matches that are over stay: in SQL (SQLite or PostgreSQL), each whole, with ratings and lists beside them."""
