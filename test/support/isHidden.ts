import { findByRules } from '../../src/core/secrets/finder';

/** True where a part of the secret that is worth hiding is found for sure. */
export const isHidden = (text: string, secret: string): boolean => {
  const at = text.indexOf(secret);
  return findByRules(text).some(
    ({ start, end, sure }) => sure === true && start < at + secret.length && end > at && end - start >= 6,
  );
};
