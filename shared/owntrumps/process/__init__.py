"""What every process of the system does at its start: read its settings, set up its log (extra ``process``)."""
