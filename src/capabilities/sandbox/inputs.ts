import { strictObject } from '../../core/capability/declare';
import { choice, flag, type InputOf, text, wholeNumber } from '../shared/parameters';

export const executeCodeInput = strictObject(
  { code: text('The program; top-level await is allowed', 200_000) },
  {
    language: choice('Language of the program', ['javascript', 'typescript'], 'javascript'),
    timeout_ms: wholeNumber('Time limit in milliseconds', 10, 30_000, 5000),
    memory_mb: wholeNumber('Memory limit in megabytes', 4, 256, 64),
    allow_files: flag('Offers files.read(path) and files.list(path), each judged by policy', false),
  },
);
export type ExecuteCodeInput = InputOf<typeof executeCodeInput>;
