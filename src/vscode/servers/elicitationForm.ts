import type { JsonSchema } from '../../core/base/schema';
import { elicitationFields, type FormAnswer, isFormAnswer } from '../../core/foreign/elicitationForm';
import { askField } from '../forms/askField';

/** Asks the fields of a form one after the other. Undefined where the person left it. */
export async function askForm(
  schema: JsonSchema,
  title: string,
  signal: AbortSignal,
): Promise<Readonly<Record<string, FormAnswer>> | undefined> {
  const fields = elicitationFields(schema);
  const content: Record<string, FormAnswer> = {};
  for (const [index, field] of fields.entries()) {
    const step = fields.length === 1 ? title : `${title} (${index + 1}/${fields.length})`;
    const answer = await askField(field, step);
    if (answer === undefined || signal.aborted) return undefined;
    if (isFormAnswer(answer.value)) content[field.name] = answer.value;
  }
  return content;
}
