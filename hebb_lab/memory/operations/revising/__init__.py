"""Revision: what is asked for, its two forms, and old states beyond what is kept."""
