import { entryOf } from '../base/maps';
import { describeAccess } from '../vocabulary/access';
import { type AuditRecord, chainBroken, undoTool } from './record';
import type {
  AnswerCounts,
  AuditReport,
  HookedCounts,
  PolicyCounts,
  ReportedAgent,
  ReportedNote,
  ReportedQuestion,
  ReportPeriod,
  ReportProof,
  RuleCounts,
  ToolCounts,
} from './report';
import { keyedKind } from '../vocabulary/toolSource';

const longestList = 1000;
const mostTouched = 20;

/** Adds up the records of a period, one by one, in bounded memory but for the ids of calls. */
export class ReportBuilder {
  #records = 0;
  readonly #calls = { total: 0, succeeded: 0, denied: 0, failed: 0, byAgents: 0, byUsers: 0 };
  readonly #begun = new Set<string>();
  readonly #ended = new Set<string>();
  readonly #tools = new Map<string, ToolCounts>();
  readonly #rules = new Map<string, RuleCounts>();
  readonly #answers = new Map<string, AnswerCounts>();
  readonly #policies = new Map<string, PolicyCounts>();
  readonly #hooked = new Map<string, HookedCounts>();
  readonly #questions = { asked: 0, allowed: 0, denied: 0 };
  readonly #open = new Map<string, ReportedQuestion>();
  readonly #lists = {
    questions: [] as ReportedQuestion[],
    denials: [] as AuditReport['denials'][number][],
    takenBack: [] as AuditReport['takenBack'][number][],
    changes: [] as ReportedNote[],
    removed: [] as AuditReport['notGoverned']['removed'][number][],
    broken: [] as ReportedNote[],
  };
  readonly #cut = new Set<string>();
  #skipped = 0;
  #lost = 0;

  add(record: AuditRecord): void {
    this.#records++;
    const { event } = record;
    this.#addPolicy(record);
    switch (event) {
      case 'invocation.started':
        this.#begun.add(callOf(record));
        break;
      case 'invocation.finished':
      case 'policy.violation':
        this.#addEnd(record);
        break;
      case 'approval.asked':
      case 'approval.answered':
        this.#addQuestion(record);
        break;
      case 'audit.lost':
        this.#lost += record.count ?? 0;
        break;
      case 'audit.retired':
      case 'audit.cleared':
        this.#list('removed', this.#lists.removed, { ...noteOf(record), segments: record.segments?.length ?? 0 });
        break;
      default:
        if (event.endsWith('.changed')) this.#list('changes', this.#lists.changes, noteOf(record));
    }
    if (record['error.type'] === chainBroken) this.#list('broken', this.#lists.broken, noteOf(record));
  }

  build(made: string, { from, to }: ReportPeriod, proof: ReportProof, agents?: readonly ReportedAgent[]): AuditReport {
    const lists = this.#lists;
    return {
      kind: 'agent-capabilities.audit-report',
      v: 1,
      made,
      ...(from === undefined ? {} : { from }),
      to,
      records: this.#records,
      calls: { ...this.#calls, unfinished: [...this.#begun].filter((id) => !this.#ended.has(id)).length },
      tools: this.#rows('tools', this.#tools, ({ calls }) => calls),
      rules: this.#rows('rules', this.#rules, (one) => one.denied + one.asked + one.advised + one.waived),
      answers: this.#rows('answers', this.#answers, ({ allowed, denied }) => allowed + denied),
      questions: { ...this.#questions, list: lists.questions },
      denials: lists.denials,
      takenBack: lists.takenBack,
      changes: lists.changes,
      policies: this.#rows('policies', this.#policies, ({ records }) => records),
      notGoverned: {
        hooked: this.#rows('hooked', this.#hooked, ({ calls }) => calls),
        skippedQuestions: this.#skipped,
        lost: this.#lost,
        removed: lists.removed,
        broken: lists.broken,
      },
      ...(agents ? { agents } : {}),
      proof,
      cut: [...this.#cut].sort(),
    };
  }

  #addPolicy(record: AuditRecord): void {
    const revision: unknown = Reflect.get(record, 'policy');
    if (typeof revision !== 'string') return;
    const { time } = record;
    const policy = entryOf(this.#policies, revision, { revision, records: 0, first: time, last: time });
    policy.records++;
    if (time < policy.first) policy.first = time;
    if (time > policy.last) policy.last = time;
  }

  #addEnd(record: AuditRecord): void {
    const { outcome, actor, tool, source, time } = record;
    const call = callOf(record);
    const isDenied = record.event === 'policy.violation';
    const isFailed = !isDenied && outcome !== 'success';
    const by = record['approval.by'];
    this.#ended.add(call);
    this.#calls.total++;
    this.#calls[isDenied ? 'denied' : isFailed ? 'failed' : 'succeeded']++;
    if (actor === 'agent') this.#calls.byAgents++;
    if (actor === 'user') this.#calls.byUsers++;
    if (tool !== undefined) {
      const counts = entryOf(this.#tools, tool, { tool, calls: 0, denied: 0, failed: 0 });
      counts.calls++;
      if (isDenied) counts.denied++;
      if (isFailed) counts.failed++;
    }
    if (by !== undefined) entryOf(this.#answers, by, { by, allowed: 0, denied: 0 })[isDenied ? 'denied' : 'allowed']++;
    if (by === 'editor-skipped') this.#skipped++;
    if (source !== undefined && keyedKind(source)?.runsElsewhere)
      entryOf(this.#hooked, source, { source, calls: 0 }).calls++;
    this.#addRules(record);
    const whose = { call, actor: actorOf(record) };
    if (isDenied)
      this.#list('denials', this.#lists.denials, {
        time,
        ...whose,
        tool: record['gen_ai.tool.name'] ?? tool,
        rules: record.rules ?? [],
        message: record['error.message'],
        said: record.said,
      });
    else if (!isFailed && tool === undoTool) {
      const accesses = (record.accesses ?? []).slice(0, mostTouched);
      this.#list('takenBack', this.#lists.takenBack, {
        time,
        ...whose,
        touched: accesses.map(describeAccess),
        accesses,
      });
    }
  }

  /** A rule counts once for what it did to a call, however many reasons name it. */
  #addRules({ steps = [] }: AuditRecord): void {
    const said = new Map<string, Set<Exclude<keyof RuleCounts, 'rule'>>>();
    const note = (rule: string, what: Exclude<keyof RuleCounts, 'rule'>): void =>
      void entryOf(said, rule, new Set()).add(what);
    for (const { effect, reasons = [], waived = [] } of steps) {
      for (const { rule, advisory } of reasons)
        if (rule !== undefined && (advisory === true || effect !== 'pass'))
          note(rule, advisory === true ? 'advised' : effect === 'deny' ? 'denied' : 'asked');
      for (const rule of waived) note(rule, 'waived');
    }
    for (const [rule, kinds] of said)
      for (const kind of kinds)
        entryOf(this.#rules, rule, { rule, denied: 0, asked: 0, advised: 0, waived: 0 })[kind]++;
  }

  #addQuestion(record: AuditRecord): void {
    const call = callOf(record);
    if (record.event === 'approval.asked') {
      this.#questions.asked++;
      const question: ReportedQuestion = {
        time: record.time,
        call,
        tool: record['gen_ai.tool.name'] ?? record.tool,
        reasons: record.detail,
        said: record.said,
      };
      if (this.#list('questions.list', this.#lists.questions, question)) this.#open.set(call, question);
      return;
    }
    const { outcome } = record;
    if (outcome === 'allowed' || outcome === 'denied') this.#questions[outcome]++;
    const question = this.#open.get(call);
    if (!question || outcome === undefined) return;
    question.answer = outcome;
    question.by = record['approval.by'];
    question.waitedMs = record['approval.waited_ms'];
    this.#open.delete(call);
  }

  /** False where the list is full. */
  #list<One>(name: string, list: One[], one: One): boolean {
    if (list.length < longestList) return list.push(one) > 0;
    this.#cut.add(name);
    return false;
  }

  /** The heaviest first. */
  #rows<Row>(name: string, map: ReadonlyMap<string, Row>, weight: (row: Row) => number): readonly Row[] {
    if (map.size > longestList) this.#cut.add(name);
    return [...map]
      .sort(([a, x], [b, y]) => weight(y) - weight(x) || (a < b ? -1 : 1))
      .slice(0, longestList)
      .map(([, row]) => ({ ...row }));
  }
}

const callOf = (record: AuditRecord): string => record['gen_ai.tool.call.id'] ?? '';

const actorOf = (record: AuditRecord): string | undefined =>
  record['gen_ai.agent.id'] ?? record['user.id'] ?? record.actor;

function noteOf(record: AuditRecord): ReportedNote {
  return {
    time: record.time,
    what: record.event,
    id: record.id,
    detail: record.detail,
    said: record.said,
    by: actorOf(record),
  };
}
