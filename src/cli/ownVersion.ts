/** The version of this program, as it names itself to others. */
export const ownVersion = '0.1.0';
