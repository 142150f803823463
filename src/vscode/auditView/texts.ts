import * as vscode from 'vscode';

/** The words of the view for people; the page itself has none. */
export function auditTexts(): Readonly<Record<string, string>> {
  const { t } = vscode.l10n;
  return {
    title: t('Audit'),
    filters: t('Filters'),
    tool: t('Tool'),
    actor: t('Actor'),
    outcome: t('Outcome'),
    rule: t('Rule'),
    risk: t('Risk'),
    since: t('From'),
    until: t('To'),
    any: t('any'),
    clear: t('Clear Filters'),
    time: t('Time'),
    profile: t('Profile'),
    what: t('Touched'),
    duration: t('Duration'),
    calls: t('Calls'),
    denials: t('Denials'),
    durations: t('Mean duration'),
    records: t('Audit records'),
    details: t('Details'),
    none: t('No record fits the filter.'),
    loading: t('Reading…'),
    shown: t('{0} records'),
    limited: t('the newest {0} records; narrow the filter for older ones'),
    steps: t('Steps of the gate'),
    accesses: t('Touched'),
    content: t('Content'),
    hidden: t('Hidden'),
    explain: t('Explain'),
    runAgain: t('Run Again…'),
    turnIntoRule: t('Turn into a Rule…'),
    copy: t('Copy Record'),
    open: t('Open {0}'),
    chart: t('{0} over time, from {1} to {2}: {3} in all, {4} at most in one bar'),
    chartMean: t('{0} over time, from {1} to {2}: {4} at most in one bar'),
    noChart: t('{0}: nothing to show'),
  };
}
