/** A line that begins or ends a block of code, also in a list or quote. One with more backticks is a code span. */
export const fenceLine = /^[ \t>]*(?:[-*+] +|\d+[.)] +)*(`{3,}(?![^\n`]*`)|~{3,})/;
