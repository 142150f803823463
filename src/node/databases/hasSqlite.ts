/** The version of this Node where it brings no SQLite (which came with 22.5), else undefined. */
export function withoutSqlite(version = process.versions.node): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 5) ? undefined : version;
}
