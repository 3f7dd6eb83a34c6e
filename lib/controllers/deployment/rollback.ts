import type { Deployment } from '#lib/api/types/apps.v1.ts';
import type { EventText } from '#lib/client/record/new-event.ts';
import { parseInt64 } from '#lib/machinery/int64.ts';
import { annotationsOf, nameOf } from '#lib/machinery/meta.ts';
import { annotated, annotationsBack, lastRevision, ROLLBACK, revisionOf } from './revisions.ts';
import type { Step, View } from './steps.ts';
import { sameTemplate, withoutHash } from './template.ts';

/** The revision to roll back to, from the annotation of a removed API. 0 means the previous revision. */
export const rollbackOf = (deployment: Deployment): bigint | undefined =>
  parseInt64(annotationsOf(deployment)[ROLLBACK] ?? '');

/** Restores the template of an earlier revision, and removes the annotation that requests it. */
export function rollBack({ deployment, sets }: View): readonly Step[] {
  const asked = rollbackOf(deployment) || lastRevision(sets);
  const set = asked === 0n ? undefined : sets.find((one) => revisionOf(one) === asked);
  if (set === undefined) {
    const message = asked === 0n ? 'Unable to find last revision.' : 'Unable to find the revision to rollback to.';
    return [rolledBack(deployment, 'Warning', 'DeploymentRollbackRevisionNotFound', message)];
  }
  if (sameTemplate(set, deployment)) {
    const message = `The rollback revision contains the same template as current deployment "${nameOf(deployment)}"`;
    return [rolledBack(deployment, 'Warning', 'DeploymentRollbackTemplateUnchanged', message)];
  }
  const spec = { ...deployment.spec, template: withoutHash(set.spec.template) };
  const back = { ...annotated(deployment, annotationsBack(deployment, set)), spec };
  const message = `Rolled back deployment "${nameOf(deployment)}" to revision ${asked}`;
  return [rolledBack(back, 'Normal', 'DeploymentRollback', message)];
}

function rolledBack(deployment: Deployment, type: EventText['type'], reason: string, message: string): Step {
  const { [ROLLBACK]: _, ...annotations } = annotationsOf(deployment);
  return { do: 'update-deployment', deployment: annotated(deployment, annotations), event: { type, reason, message } };
}
