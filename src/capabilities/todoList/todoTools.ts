import { isObject, type Json, type JsonObject } from '../../core/base/json';
import { unfitInput } from '../../core/vocabulary/errors';
import type { TodoReading } from '../../core/ports/todos';
import { countTodos, todoWarnings } from '../../core/todos/model';
import { noAccesses, type ToolHandler } from '../../core/capability/tool';
import type { TodoDraft, TodoItem } from '../../core/vocabulary/todo';
import type { WriteTodosInput } from './inputs';

function toDraft({ blocked_by: blockedBy, ...todo }: WriteTodosInput['todos'][number]): TodoDraft {
  return blockedBy === undefined ? todo : { ...todo, blockedBy };
}

function toOutput({ blockedBy, priority, ...item }: TodoItem): JsonObject {
  return { ...item, ...(priority ? { priority } : {}), ...(blockedBy ? { blocked_by: blockedBy } : {}) };
}

const list = (name: string, values: readonly Json[]): JsonObject => (values.length === 0 ? {} : { [name]: values });

function payload(reading: TodoReading, warnings: readonly string[]): JsonObject {
  return {
    success: true,
    counts: { ...countTodos(reading.items) },
    todos: reading.items.map(toOutput),
    revision: reading.revision,
    ...list('warnings', warnings),
    ...list('user_edits', reading.userEdits),
  };
}

export const writeTodos: ToolHandler<WriteTodosInput> = {
  accesses: noAccesses,
  async run(input, { ports, profileId, actor }) {
    input.todos.forEach((todo, index) => {
      if (todo.content.trim() === '') throw unfitInput(`/todos/${index}/content must be more than white space`);
    });
    const written = ports.todos.write(profileId, {
      todos: input.todos.map(toDraft),
      ...(input.revision === undefined ? {} : { revision: input.revision }),
      by: actor.type,
    });
    const unknown = written.unknownBlockers.map((name) => `blocked_by names no other task: \`${name}\``);
    return {
      payload: {
        ...payload(written, [...todoWarnings(written.items), ...unknown]),
        ...list('conflicts', written.conflicts),
      },
    };
  },
  text: writtenText,
};

/** The model knows the list that it wrote; where the user changed it meanwhile, all of it is shown. */
function writtenText({ counts, warnings, user_edits, conflicts }: JsonObject): string | undefined {
  if (user_edits !== undefined || conflicts !== undefined || !isObject(counts)) return undefined;
  const done = `${String(counts['completed'])} of ${String(counts['total'])} completed`;
  return Array.isArray(warnings) ? `${done}\n[warning: ${warnings.join('; ')}]` : done;
}

export const readTodos: ToolHandler<Record<string, never>> = {
  accesses: noAccesses,
  async run(_input, { ports, profileId, actor }) {
    const reading = ports.todos.read(profileId, actor.type);
    return { payload: payload(reading, todoWarnings(reading.items)) };
  },
};
