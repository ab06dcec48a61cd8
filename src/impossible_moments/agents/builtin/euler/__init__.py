"""EULER: executes, sums up, varies and proves. It looks at numbers as stated and asks nothing of the world behind them."""
