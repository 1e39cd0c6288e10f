"""A report: a store as one page that needs nothing else."""
