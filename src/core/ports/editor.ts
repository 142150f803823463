import type { Json } from '../base/json';

/** Runs commands of the editor. Absent on the command line. */
export interface CommandRunner {
  /**
   * What the command answers, as JSON where it is that, else undefined. Throws a ToolError `not_found` for an unknown
   * command.
   */
  run(command: string, args: readonly Json[]): Promise<Json | undefined>;
}

/** Shows a message to the person. `answered` is the button that was chosen, undefined where the message was closed. */
export interface Notifier {
  show(message: {
    readonly severity: 'info' | 'warning' | 'error';
    readonly text: string;
    readonly buttons?: readonly string[];
  }): Promise<{ readonly answered?: string }>;
}
