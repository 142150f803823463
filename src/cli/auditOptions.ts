/** The options of `audit`; `true` marks those that are followed by a value. */
export const auditOptions: Readonly<Record<string, boolean>> = {
  json: false,
  tool: true,
  actor: true,
  outcome: true,
  rule: true,
  risk: true,
  event: true,
  profile: true,
  text: true,
  since: true,
  until: true,
  limit: true,
  next: true,
  format: true,
  follow: false,
  out: true,
  reason: true,
  days: true,
  megabytes: true,
  from: true,
  to: true,
  home: true,
  call: true,
  bundle: true,
  'public-key': true,
};

export const auditUsage =
  'audit verify|query|export|report|why|tail|clear|retire DIR [--json] [--tool T] [--actor A] [--outcome O] [--rule R] [--risk R] [--text WORDS] [--since T] [--until T] [--limit N] [--next PAGE] [--format jsonl|csv|otlp] [--out FILE] [--follow] [--reason WHY] [--days N] [--megabytes N]\n    report DIR [--from T] [--to T] [--format markdown|html|json] [--out FILE] [--home DIR]\n    why DIR --call ID [--bundle FILE --public-key KEY] [--json]';
