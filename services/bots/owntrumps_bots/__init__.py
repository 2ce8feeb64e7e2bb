"""The bots service: a dispatcher, RQ workers and the levels they play."""
