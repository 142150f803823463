/** The last of some values in an order that goes from the least to the most; what is unknown counts least. */
export function highest<T>(order: readonly T[], first: T, ...others: readonly T[]): T {
  return others.reduce((best, one) => (order.indexOf(one) > order.indexOf(best) ? one : best), first);
}

/** Tells whether a value stands at a place of an order or behind it. */
export function isAtLeast<T>(order: readonly T[], value: T, least: T): boolean {
  return order.indexOf(value) >= order.indexOf(least);
}

/** True for lists of the very same things. */
export function isSameList<T>(one: readonly T[], other: readonly T[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}
