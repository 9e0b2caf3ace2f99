"""What the layers of tags stand on: who carries a tag, which tags are together, which follow."""
