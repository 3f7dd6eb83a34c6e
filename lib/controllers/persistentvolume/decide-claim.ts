import type { PersistentVolume, PersistentVolumeClaim, Pod } from '#lib/api/types/core.v1.ts';
import type { StorageClass } from '#lib/api/types/storage.v1.ts';
import type { EventText } from '#lib/client/record/new-event.ts';
import { nodeNameOf } from '#lib/helpers/component-helpers/pod/node-name.ts';
import { isPodTerminal } from '#lib/helpers/component-helpers/pod/phase.ts';
import {
  BIND_COMPLETED,
  BOUND_BY_CONTROLLER,
  isAnnotated,
  SELECTED_NODE,
} from '#lib/helpers/component-helpers/storage/volume/annotations.ts';
import {
  bestMatch,
  classOf,
  isBoundTo,
  mismatch,
  saysClass,
} from '#lib/helpers/component-helpers/storage/volume/match.ts';
import { migratedTo } from '#lib/helpers/csi-translation/translate.ts';
import { annotationsOf, creationTimeOf, nameOf, uidOf } from '#lib/machinery/meta.ts';
import { isBuiltIn } from './provisioners.ts';

/** A claim and the objects that affect the decision about it. */
export interface ClaimView {
  readonly claim: PersistentVolumeClaim;
  /** All volumes. If the claim names a volume, only that one. */
  readonly volumes: readonly PersistentVolume[];
  readonly classes: readonly StorageClass[];
}

/** The next step for a claim. */
export type ClaimAction =
  | { readonly action: 'bind'; readonly volume: PersistentVolume }
  /** Sets the phase. The event of a lost claim is recorded when it becomes lost, that of a waiting claim each time. */
  | { readonly action: 'phase'; readonly phase: 'Pending' | 'Lost'; readonly event?: EventText }
  /** The claim waits for a pod to be scheduled. */
  | { readonly action: 'wait' }
  | { readonly action: 'class'; readonly name: string }
  | { readonly action: 'provision'; readonly provisioner: string; readonly event: EventText }
  | { readonly action: 'tell'; readonly event: EventText };

const warning = (reason: string, message: string): EventText => ({ type: 'Warning', reason, message });
const lost = (reason: string, message: string): ClaimAction => ({
  action: 'phase',
  phase: 'Lost',
  event: warning(reason, message),
});

/** Upstream's syncClaim. Throws TypeError if a user corrupted the binding. */
export function decideClaim(view: ClaimView): ClaimAction {
  if (isAnnotated(view.claim, BIND_COMPLETED)) return decideBound(view);
  return (view.claim.spec.volumeName ?? '') === '' ? decideFree(view) : decideNamed(view);
}

function decideBound({ claim, volumes: [volume] }: ClaimView): ClaimAction {
  if ((claim.spec.volumeName ?? '') === '')
    return lost('ClaimLost', 'Bound claim has lost reference to PersistentVolume. Data on the volume is lost!');
  if (volume === undefined)
    return lost('ClaimLost', 'Bound claim has lost its PersistentVolume. Data on the volume is lost!');
  const { claimRef } = volume.spec;
  if (claimRef === undefined || (claimRef.uid ?? '') === uidOf(claim)) return { action: 'bind', volume };
  return lost('ClaimMisbound', 'Two claims are bound to the same volume, this one is bound incorrectly');
}

/** The user requested a specific volume. */
function decideNamed({ claim, volumes: [volume] }: ClaimView): ClaimAction {
  if (volume === undefined) return { action: 'phase', phase: 'Pending' };
  const named = `volume "${nameOf(volume)}"`;
  if (volume.spec.claimRef === undefined) {
    const why = mismatch(volume, claim);
    if (why === undefined) return { action: 'bind', volume };
    return pending(warning('VolumeMismatch', `Cannot bind to requested ${named}: ${why}`));
  }
  if (isBoundTo(volume, claim)) return { action: 'bind', volume };
  if (isAnnotated(claim, BOUND_BY_CONTROLLER)) throw new TypeError(`${named} is claimed by another than the claim`);
  return pending(warning('FailedBinding', `${named} already bound to a different claim.`));
}

const pending = (event: EventText): ClaimAction => ({ action: 'phase', phase: 'Pending', event });

/** The claim accepts any suitable volume. */
function decideFree({ claim, volumes, classes }: ClaimView): ClaimAction {
  const named = classes.find((one) => nameOf(one) === classOf(claim));
  const isDelayed = named?.volumeBindingMode === 'WaitForFirstConsumer';
  const volume = bestMatch(claim, volumes, isDelayed);
  if (volume !== undefined) return { action: 'bind', volume };
  const standard = saysClass(claim) ? undefined : defaultClass(classes);
  if (standard !== undefined) return { action: 'class', name: nameOf(standard) };
  if (isDelayed && !isAnnotated(claim, SELECTED_NODE)) return { action: 'wait' };
  if (classOf(claim) !== '') return provision(classOf(claim), named);
  const message = 'no persistent volumes available for this claim and no storage class is set';
  return pending({ type: 'Normal', reason: 'FailedBinding', message });
}

function provision(name: string, found: StorageClass | undefined): ClaimAction {
  const failed = (message: string): ClaimAction => ({ action: 'tell', event: warning('ProvisioningFailed', message) });
  if (found === undefined) return failed(`storageclass.storage.k8s.io "${name}" not found`);
  const plugin = found.provisioner;
  if (isBuiltIn(plugin)) return failed(`no volume plugin matched name: ${plugin}`);
  const provisioner = migratedTo(plugin) ?? plugin;
  const message =
    `Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the system ` +
    'administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.';
  return { action: 'provision', provisioner, event: { type: 'Normal', reason: 'ExternalProvisioning', message } };
}

const DEFAULT = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'];

/** The newest default class. If several are equally new, the first by name. */
function defaultClass(classes: readonly StorageClass[]): StorageClass | undefined {
  const marked = classes.filter((one) => DEFAULT.some((mark) => annotationsOf(one)[mark] === 'true'));
  const born = (one: StorageClass): number => creationTimeOf(one)?.getTime() ?? 0;
  return marked.sort((a, b) => born(b) - born(a) || (nameOf(a) < nameOf(b) ? -1 : 1))[0];
}

/** The event of a claim that waits for its pod to be scheduled. */
export function waiting(pods: readonly Pod[]): EventText {
  const names = pods.filter((pod) => nodeNameOf(pod) === '' && !isPodTerminal(pod)).map(nameOf);
  const told = (reason: string, message: string): EventText => ({ type: 'Normal', reason, message });
  if (names.length === 0)
    return told('WaitForFirstConsumer', 'waiting for first consumer to be created before binding');
  return told(
    'WaitForPodScheduled',
    `waiting for pod${names.length > 1 ? 's' : ''} ${names.join(',')} to be scheduled`,
  );
}
