"""What all files of stored graphs are made of: headers, hashes, tables, checked reading."""
