"""What the benchmarks share: pages, systems, measuring, reports and plots."""
