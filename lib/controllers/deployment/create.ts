import type { Deployment, ReplicaSet } from '#lib/api/types/apps.v1.ts';
import type { EventText } from '#lib/client/record/new-event.ts';
import { defined } from '#lib/machinery/defined.ts';
import { annotationsOf, controllerOf, nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import { minReadySecondsOf } from '../replicaset/decide.ts';
import { templateHash } from '../workload/template-hash.ts';
import { unlessZero } from '../workload/unless-zero.ts';
import { annotated, annotationsFor, REVISION, sizeAnnotations } from './revisions.ts';
import { newSize } from './sizes.ts';
import { deadlineOf, progressing } from './status.ts';
import { conditioned, type NewSet, type Observed, type Step, type View } from './steps.ts';
import { plusLabel, sameTemplate } from './template.ts';

/** Creates the set of the deployment's template if none exists. */
export function createCurrent(view: View): readonly Step[] {
  const { deployment, sets, current, next } = view;
  if (current !== undefined) return [];
  const set = newSet(deployment, next);
  const replicas = newSize(deployment, sets, 0);
  const message = `Scaled up replica set ${nameOf(set)} from 0 to ${replicas}`;
  const event: EventText = { type: 'Normal', reason: 'ScalingReplicaSet', message };
  const sized = { ...set, spec: { ...set.spec, replicas } };
  return [{ do: 'create', set: sized, ...(replicas > 0 ? { event } : {}) }];
}

/** The set of the deployment's template. Its name is derived from the template, so a retry finds the set of the first attempt. */
function newSet(deployment: Deployment, next: bigint): NewSet {
  const { template, selector } = deployment.spec;
  const hash = templateHash(template, deployment.status.collisionCount);
  const metadata = plusLabel(template.metadata, hash);
  const { labels: matchLabels } = plusLabel({ labels: selector?.matchLabels ?? {} }, hash);
  const set: NewSet = {
    metadata: {
      name: `${nameOf(deployment).slice(0, 252 - hash.length)}-${hash}`,
      namespace: namespaceOf(deployment),
      labels: metadata.labels,
    },
    spec: {
      ...defined({ minReadySeconds: unlessZero(minReadySecondsOf(deployment)) }),
      selector: { ...selector, matchLabels },
      template: { ...template, metadata },
    },
  };
  return annotated(set, { ...annotationsFor(deployment, set, next), ...sizeAnnotations(deployment) });
}

/** The deployment's condition and revision number after its set was created. */
export function afterCreation(observed: Observed, set: NewSet): Deployment | undefined {
  const { deployment } = observed;
  const revision = annotationsOf(set)[REVISION] ?? '';
  if (deadlineOf(deployment) === undefined) return undefined;
  const condition = progressing('True', 'NewReplicaSetCreated', `Created new replica set "${nameOf(set)}"`);
  return conditioned(observed, condition, revision);
}

/** The deployment with the condition that its set could not be created. Undefined if it has no progress deadline. */
export function afterRefusal(observed: Observed, message: string): Deployment | undefined {
  const { deployment } = observed;
  if (deadlineOf(deployment) === undefined) return undefined;
  return conditioned(observed, progressing('False', 'ReplicaSetCreateError', message));
}

/** The deployment with the next collision count, if its set's name is taken. Undefined if the name is taken by its own set. */
export function afterCollision(deployment: Deployment, taken: ReplicaSet): Deployment | undefined {
  if (controllerOf(taken)?.uid === uidOf(deployment) && sameTemplate(taken, deployment)) return undefined;
  const collisionCount = (deployment.status.collisionCount ?? 0) + 1;
  return { ...deployment, status: { ...deployment.status, collisionCount } };
}
