import type { SuiteEvent } from './driver/plan';
import { failureFolder, whereFailureStands } from './failures';

/** How many tests ended in which way so far. */
export interface Counted {
  readonly passed: number;
  readonly failed: number;
  readonly pending: number;
}

export interface Failed {
  file: string;
  title: string;
  error: string;
}

/** Prints events as they come and keeps the failures for the end, where a person looks first. */
export class Printer {
  failures: Failed[] = [];
  /** What failed at the first try. */
  readonly unsteady: Failed[] = [];
  passed = 0;
  pending = 0;
  private file = '';

  readonly accept = (event: SuiteEvent): void => {
    const indent = '  '.repeat('depth' in event ? event.depth + 1 : 0);
    switch (event.kind) {
      case 'file':
        this.file = event.name;
        console.log(`\n${event.name}`);
        break;
      case 'suite':
        console.log(`${indent}${event.title}`);
        break;
      case 'pass':
        this.passed += 1;
        console.log(`${indent}✔ ${event.title}${event.ms > 75 ? ` (${event.ms} ms)` : ''}`);
        break;
      case 'pending':
        this.pending += 1;
        console.log(`${indent}- ${event.title}`);
        break;
      case 'fail':
        this.fail(event.fullTitle, event.error);
        console.log(`${indent}✖ ${event.title}`);
        break;
      case 'end':
      case 'done':
        break;
    }
  };

  count(): Counted {
    return { passed: this.passed, failed: this.failures.length, pending: this.pending };
  }

  /**
   * Takes back what came since `before`, because it is run once more. What then passes counts as passed and is named as
   * unsteady.
   */
  tryAgain(before: Counted): void {
    const failed = this.failures.splice(before.failed);
    this.unsteady.push(...failed);
    this.passed = before.passed;
    this.pending = before.pending;
    console.log(`  ! ONCE MORE in a fresh window, because ${failed.length} failed:`);
    for (const { title, error } of failed) console.log(`  ! ${title}\n${error.replaceAll(/^/gm, '      ')}`);
  }

  /** Takes over what another printer has counted and shown. */
  add(other: Pick<Printer, 'passed' | 'pending' | 'failures' | 'unsteady'>): void {
    this.passed += other.passed;
    this.pending += other.pending;
    this.failures.push(...other.failures);
    this.unsteady.push(...other.unsteady);
  }

  fail(title: string, error: string): void {
    this.failures.push({ file: this.file, title, error });
  }

  summary(kind: string, startedAt: number): void {
    const tell = (title: string, error: string): void => {
      const left = whereFailureStands(failureFolder(kind, title));
      console.log([error, ...(left ? [left] : [])].join('\n').replaceAll(/^/gm, '    '));
    };
    const failed = new Set(this.failures.map(({ file, title }) => `${file}: ${title}`));
    const passedLater = this.unsteady.filter(({ file, title }) => !failed.has(`${file}: ${title}`));
    for (const { file, title, error } of passedLater) {
      console.log(`\n! unsteady, passed only at the second try: ${file}: ${title}`);
      tell(title, error);
    }
    for (const { file, title, error } of this.failures) {
      console.log(`\n✖ ${file}: ${title}`);
      tell(title, error);
    }
    const pending = `${this.pending > 0 ? `, ${this.pending} pending` : ''}${passedLater.length > 0 ? `, ${passedLater.length} unsteady` : ''}`;
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
    console.log(`\n${kind} suites: ${this.passed} passed, ${this.failures.length} failed${pending} (${seconds} s)`);
  }
}
