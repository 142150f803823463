import { say, type Sentence } from '../../base/sentence';

/**
 * Why a rule is there that a person had written for them.
 * @param day when, such as `2026-11-28`
 * @param tool whose call was the reason; undefined where none was
 */
export const draftedReason = (day: string, tool?: string): Sentence =>
  tool === undefined ? say('set_by_user', day) : say('set_after_call', tool, day);

const written = /^set by the user (?:after a call of (\S+) )?on (\d{4}-\d\d-\d\d)$/;

/** The same from its English words, as they stand in a rule; what anybody else wrote is text. */
export function readReason(text: string): Sentence | string {
  const [, tool, day] = written.exec(text) ?? [];
  return day === undefined ? text : draftedReason(day, tool);
}
