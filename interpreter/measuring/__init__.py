"""Figures of many games with their intervals: tables and seeds in, exact totals and estimates out."""
