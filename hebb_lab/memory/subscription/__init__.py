"""Subscriptions: what an arriving stream calls up is pushed, within budgets and without repeats."""

from hebb_lab.memory.subscription.registry import Subscriptions
from hebb_lab.memory.subscription.stream import stream
from hebb_lab.memory.subscription.subscription import Subscription
from hebb_lab.memory.subscription.values import Counts, Push, Wanted

__all__ = ["Counts", "Push", "Subscription", "Subscriptions", "Wanted", "stream"]
