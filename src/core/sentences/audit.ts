/** What is wrong with a filter of the audit, as a person typed it. */
export const auditSentences = {
  audit_filter_time:
    '{0} must be a date such as 2026-11-21 or 2026-11-21T12:00:00Z, or a span such as 2h or 7d (got `{1}`)',
  audit_filter_risk: 'risk must be {0}, or one of them with + (got `{1}`)',
  audit_filter_outcome: 'outcome must be {0} or an error code (got `{1}`)',
} as const;
