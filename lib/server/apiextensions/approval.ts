import { quote } from '#lib/machinery/go.ts';
import { type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';

/** The annotation that approves a definition in a protected group: the URL of the review, or `unapproved`. */
export const APPROVED_ANNOTATION = 'api-approved.kubernetes.io';

/** Whether the group belongs to the Kubernetes project, so that its definitions need approval. */
export function isProtectedCommunityGroup(group: string): boolean {
  return ['k8s.io', 'kubernetes.io'].some((domain) => group === domain || group.endsWith(`.${domain}`));
}

/** The state of the approval, and the reason for the condition. */
export interface Approval {
  readonly state: 'Invalid' | 'Approved' | 'Bypassed' | 'Missing';
  readonly reason: string;
}

const PROTECTED = `protected groups must have approval annotation ${quote(APPROVED_ANNOTATION)}`;
const SEE = 'see https://github.com/kubernetes/enhancements/pull/1111';

/** Returns upstream's `GetAPIApprovalState` of a definition's annotations. */
export function approvalState(crd: JsonObject): Approval {
  const annotation = stringAt(objectAt(objectAt(crd, 'metadata'), 'annotations'), APPROVED_ANNOTATION) ?? '';
  if (annotation === '') return { state: 'Missing', reason: `${PROTECTED}, ${SEE}` };
  if (annotation.startsWith('unapproved')) return { state: 'Bypassed', reason: `not approved: ${quote(annotation)}` };
  if (/^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/[^/?#\s]+/.test(annotation)) {
    return { state: 'Approved', reason: `approved in ${annotation}` };
  }
  return { state: 'Invalid', reason: `${PROTECTED} with either a URL or a reason starting with "unapproved", ${SEE}` };
}
