"""From a query to a ranking: seeders, fusion, injection, the pipeline."""
