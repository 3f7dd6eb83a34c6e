import type { Pod } from '#lib/api/types/core.v1.ts';
import type { EventText } from '#lib/client/record/new-event.ts';
import { nameOf, namespaceOf } from '#lib/machinery/meta.ts';

const failed = (message: string): EventText => ({ type: 'Warning', reason: 'FailedAttachVolume', message });

/** The event for an attached volume. Upstream's text ends with a space. */
export const attachSucceeded = (title: string): EventText => ({
  type: 'Normal',
  reason: 'SuccessfulAttachVolume',
  message: `AttachVolume.Attach succeeded for volume "${title}" `,
});

/** The event for a volume that could not be attached. */
export const attachFailed = (title: string, error: string): EventText =>
  failed(`AttachVolume.Attach failed for volume "${title}" : ${error}`);

/** The event for a volume that another node uses. `users` are the pods there. It names no pod of another namespace. */
export function multiAttach(title: string, pod: Pod, users: readonly Pod[]): EventText {
  return failed(`Multi-Attach error for volume "${title}" ${whyNot(pod, users)}`);
}

function whyNot(pod: Pod, users: readonly Pod[]): string {
  if (users.length === 0) return "Volume is already exclusively attached to one node and can't be attached to another";
  const local = users.filter((one) => namespaceOf(one) === namespaceOf(pod)).map(nameOf);
  const others = users.length - local.length;
  if (local.length === 0) return `Volume is already used by ${others} pod(s) in different namespaces`;
  const known = `Volume is already used by pod(s) ${local.join(', ')}`;
  return others > 0 ? `${known} and ${others} pod(s) in different namespaces` : known;
}
