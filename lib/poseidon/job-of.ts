import { controllerOf } from '#lib/machinery/meta.ts';
import type { PodInfo } from '#lib/scheduler/framework/pod-info.ts';

/** The job of a task, as text: the pod's controller, or the pod itself. */
export const jobOf = ({ pod, uid }: PodInfo): string => controllerOf(pod)?.uid ?? uid;
