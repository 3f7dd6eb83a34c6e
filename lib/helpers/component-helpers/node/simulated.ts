import { serviceUnavailable } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { labelsOf } from '#lib/machinery/meta.ts';

/** The label of a simulated Node, which has no machine. Its value is `true`. */
export const SIMULATED = 'davit.dev/simulated';

/** Whether a Node's label marks it as simulated. */
export const isSimulated = (node: JsonObject): boolean => labelsOf(node)[SIMULATED] === 'true';

/**
 * The 503 for a connection to a pod of a simulated node. The pod's address may belong to another host on this server's network, so the
 * server never connects to it. `target` is the pod or its address.
 */
export const simulatedTarget = (target: string, node: string): Error =>
  serviceUnavailable(
    `no connection to ${target}: its node ${quote(node)} is simulated, and no container runs on it; ${REMEDY}`,
  );

const REMEDY =
  'run the pod on a real node, or start the program yourself and name its host in a Service of type ExternalName';
