const prefix = 'grant ';

/** What `approval.by` says of a call that a grant let through: `grant 01h…`. */
export const byGrant = (id: string): string => prefix + id;

/** The id of the grant that an answer of the record names; undefined where a person or something else answered. */
export const grantOf = (by: string): string | undefined =>
  by.startsWith(prefix) ? by.slice(prefix.length) : undefined;
