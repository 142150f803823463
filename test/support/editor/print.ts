import type { SuiteEvent } from './driver/plan';

/** Prints events as they come and keeps the failures for the end, where a person looks first. */
export class Printer {
  failures: { file: string; title: string; error: string }[] = [];
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

  fail(title: string, error: string): void {
    this.failures.push({ file: this.file, title, error });
  }

  summary(label: string, startedAt: number): void {
    for (const { file, title, error } of this.failures) {
      console.log(`\n✖ ${file}: ${title}`);
      console.log(error.replaceAll(/^/gm, '    '));
    }
    const pending = this.pending > 0 ? `, ${this.pending} pending` : '';
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
    console.log(`\n${label}: ${this.passed} passed, ${this.failures.length} failed${pending} (${seconds} s)`);
  }
}
