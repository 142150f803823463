import { visibleText } from '../base/visible';
import { cutAt } from '../base/text';
import { infer, type Inference, scopesOf } from './inference';
import type { Permission, ToolDefinition, ValueOrigin } from '../vocabulary/toolDefinition';
import { argumentEffects } from './argumentRoles';
import type { ListedTool } from './foreignList';
import { withoutHeaders } from './headerDeclarations';
import type { ToolOverride } from './overrides';
import { visibleSchema } from './schemaText';
import { foreignToolName } from './toolName';
import { defined } from '../base/json';
import { wordsOf } from '../vocabulary/names';

export const longestDescription = 4000;

interface ForeignToolOptions {
  /** Names the source for people: `the MCP server files`. */
  readonly from: string;
  readonly hintsConfirmed: boolean;
  readonly override: ToolOverride | undefined;
  readonly timeoutMs: number;
  readonly permissions?: readonly string[];
  readonly icon?: string;
}

/**
 * Makes the definition of a foreign tool: texts with invisible characters shown (those of its schemas too), what
 * `infer` makes of it, and over that what the user wrote. A tool of which nobody confirmed that it only reads asks
 * before an agent may call it, unless the user's entry allows it.
 */
export function foreignDefinition(
  tool: ListedTool,
  options: ForeignToolOptions,
): { readonly definition: ToolDefinition; readonly inference: Inference } {
  const { override, permissions = [] } = options;
  const facts = {
    name: tool.name,
    ...defined({ title: tool.title, description: tool.description, hints: tool.annotations }),
    hintsConfirmed: options.hintsConfirmed,
    argumentEffects: argumentEffects(tool.inputSchema),
  };
  const inference = infer({ ...facts, permissions });
  const riskLevel = override?.risk ?? inference.riskLevel;
  const sideEffects = override?.sideEffects ?? inference.sideEffects;
  const kind = override?.kind ?? inference.kind;
  // A permission that it names adds to the scopes that it needs, and takes the place of none.
  const withoutPermissions =
    permissions.length === 0 || override?.sideEffects ? [] : scopesOf(infer(facts).sideEffects);
  const agent: Permission =
    override?.permission ?? (inference.readOnly || riskLevel === 'low' ? 'allowed' : 'confirmation_required');
  const shown = shownText(tool.description ?? '', longestDescription);
  const title = shownText(tool.title ?? tool.annotations?.title ?? tool.name, 100);
  const origin = (key: keyof ToolOverride): ValueOrigin =>
    override?.[key] === undefined ? (inference.readOnly ? 'confirmed' : 'inferred') : 'override';
  return {
    inference,
    definition: {
      name: foreignToolName(tool.name),
      title: title === '' ? tool.name : title,
      kind,
      modelDescription:
        shown === '' ? `Call ${shownText(tool.name, 100)} of ${options.from}. The source gives no description.` : shown,
      userDescription: firstSentence(shown) || `a tool of ${options.from}`,
      inputSchema: visibleSchema(withoutHeaders(tool.inputSchema)),
      ...(tool.outputSchema ? { outputSchema: visibleSchema(tool.outputSchema) } : {}),
      permissions: { user: 'allowed', agent },
      scopes: [...new Set([...scopesOf(sideEffects), ...withoutPermissions])].sort(),
      riskLevel,
      sideEffects,
      costClass: 'free',
      idempotency: inference.idempotent ? 'idempotent' : 'non-idempotent',
      reversible: inference.reversible,
      timeoutMs: options.timeoutMs,
      contentField: 'text',
      untrustedOutput: true,
      icon: options.icon ?? 'plug',
      tags: [...new Set(wordsOf(tool.name))].slice(0, 10),
      origins: {
        riskLevel: origin('risk'),
        sideEffects: origin('sideEffects'),
        kind: origin('kind'),
        permission: override?.permission ? 'override' : 'inferred',
      },
      reasons: inference.reasons,
      ...(override?.risk === undefined ? {} : { inferredRisk: inference.riskLevel }),
    },
  };
}

/** Foreign text for people and models: invisible characters visible, bounded with a marker. */
export function shownText(text: string, longest: number): string {
  const { text: shown } = visibleText(text.trim());
  return shown.length <= longest ? shown : `${cutAt(shown, longest)} [cut: ${longest} of ${shown.length} characters]`;
}

function firstSentence(text: string): string {
  const line = text.split('\n')[0] ?? '';
  const sentence = /^.*?[.!?](?=\s|$)/.exec(line)?.[0] ?? line;
  return sentence.replace(/(?<![.\s])[.\s]+$/, '').slice(0, 160);
}
