import type { AuditEvent, AuditSink } from '../../core/audit/event';
import type { Settings } from '../../core/settings/settings';
import type { HeadKeeper } from '../../core/audit/head';
import type { RecordOptions } from '../../core/audit/makeRecord';
import { createRedactor, type Redactor } from '../../core/audit/redact';
import type { Disposable } from '../../core/base/lifecycle';
import { AuditStore } from './auditStore';
import { OtlpPusher } from './otlp';
import { saidBy, say, type Sentence } from '../../core/base/sentence';

interface AuditServiceOptions {
  readonly dir: string;
  /** Asked whenever they count. */
  readonly settings: () => Settings;
  readonly key?: Uint8Array;
  readonly onProblem: (said: Sentence) => void;
  readonly keeper?: HeadKeeper;
  readonly version: string;
}

const firstLookMs = 5000;

/**
 * The audit of one window: the durable store, the redactor with all rules as soon as they are loaded,
 * retention, and the collector. Until those rules are loaded, the built-in ones clean all texts and no content is kept,
 * so that nothing waits.
 */
export class AuditService implements AuditSink, Disposable {
  readonly store: AuditStore;
  readonly #options: AuditServiceOptions;
  readonly #basic = createRedactor();
  /** Made with the first record that a collector is to have. */
  #otlp: OtlpPusher | undefined;
  #full: Redactor | undefined;
  #loading: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: AuditServiceOptions) {
    this.#options = options;
    this.store = new AuditStore({
      dir: options.dir,
      recording: () => this.#recording(),
      ...(options.key ? { key: options.key } : {}),
      onProblem: options.onProblem,
      ...(options.keeper ? { keeper: options.keeper } : {}),
      onRotated: () => this.#lookLater(0),
      onRecord: (record) => this.#collector()?.push(record),
    });
    this.#lookLater(firstLookMs);
  }

  /** Cleans texts for the output channel by the same rules; it gets better once they are loaded. */
  readonly redactor: Redactor = {
    text: (value) => (this.#full ?? this.#basic).text(value),
    value: (value, hidden, options) => (this.#full ?? this.#basic).value(value, hidden, options),
  };

  record(event: AuditEvent): void {
    this.store.record(event);
  }

  /** Loads the finder of secrets; the command line waits for it before its only call, the editor does not. */
  async loadRules(): Promise<void> {
    this.#loading ??= import('./fullRedactor').then(
      ({ fullRedactor }) => {
        this.#full = fullRedactor();
      },
      (error: unknown) => this.#options.onProblem(say('audit_finder_not_loaded', saidBy(error))),
    );
    await this.#loading;
  }

  /** Sends what the collector has not got yet. */
  async flush(): Promise<void> {
    this.store.flush(true);
    await this.#otlp?.flush();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.store.dispose();
    const collector = this.#otlp;
    void collector?.flush().finally(() => collector.dispose());
  }

  #collector(): OtlpPusher | undefined {
    const { settings, version, onProblem } = this.#options;
    const endpoint = (): string => settings().get('audit.otlpEndpoint');
    if (!this.#otlp && endpoint() !== '') this.#otlp = new OtlpPusher({ endpoint, version, onProblem });
    return this.#otlp;
  }

  #recording(): RecordOptions {
    const content = this.#options.settings().get('audit.content');
    if (this.#full) return { content, redactor: this.#full };
    void this.loadRules();
    return { content: 'shape', redactor: this.#basic };
  }

  /** Retention is looked at outside of calls, and never keeps the process alive. */
  #lookLater(delayMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      try {
        const settings = this.#options.settings();
        this.store.retire({
          retentionDays: settings.get('audit.retentionDays'),
          maxMegabytes: settings.get('audit.maxMegabytes'),
        });
      } catch (error) {
        this.#options.onProblem(say('audit_not_retired', saidBy(error)));
      }
    }, delayMs);
    this.#timer.unref();
  }
}
