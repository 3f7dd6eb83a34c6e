import type { ContainerStatus, Pod } from '#lib/api/types/core.v1.ts';
import type { EventText } from '#lib/client/record/new-event.ts';
import { phaseOf } from '#lib/helpers/component-helpers/pod/phase.ts';
import { nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import { behaviourOf } from './behaviour.ts';
import { DEADLINE_MESSAGE } from './decide.ts';
import { knownStatuses } from './run-containers.ts';

/** The events of a status change: invalid annotations, repeated container crashes, exceeded deadlines. */
export function eventsOf(before: Pod, after: Pod): EventText[] {
  const old = knownStatuses(before);
  const backOffs = [...knownStatuses(after)].flatMap(([name, status]): EventText[] => {
    if (!isBackingOff(status) || isBackingOff(old.get(name))) return [];
    const of = `${nameOf(after)}_${namespaceOf(after)}(${uidOf(after)})`;
    return [
      { type: 'Warning', reason: 'BackOff', message: `Back-off restarting failed container ${name} in pod ${of}` },
    ];
  });
  const isFirst = (before.status.startTime ?? '') === '';
  const faults = isFirst ? behaviourOf(after).faults : [];
  const unread = faults.map((message): EventText => ({ type: 'Warning', reason: 'InvalidAnnotation', message }));
  return [...unread, ...backOffs, ...deadline(before, after)];
}

const isBackingOff = (status: ContainerStatus | undefined): boolean =>
  status?.state.waiting?.reason === 'CrashLoopBackOff';

function deadline(before: Pod, after: Pod): EventText[] {
  const isOver = after.status.reason === 'DeadlineExceeded';
  if (!isOver || phaseOf(before) === 'Failed') return [];
  return [{ type: 'Normal', reason: 'DeadlineExceeded', message: DEADLINE_MESSAGE }];
}
