import * as z from 'zod';
import { quote } from '#lib/machinery/go.ts';
import { CorruptCheckpointError } from '../../checkpointmanager/checkpoint-store.ts';
import {
  checksumOf,
  type GoValue,
  goInt,
  goIntMap,
  goMap,
  goPointer,
  goSlice,
  goString,
  goStruct,
} from '../../checkpointmanager/checksum.ts';
import { type Block, MemoryState, type MemoryTable, type NumaNodeState } from './state.ts';

/** The name of the checkpoint. */
export const MEMORY_MANAGER_STATE = 'memory_manager_state';

const bytes = z.number().int().nonnegative();
const tableSchema = z.object({
  total: bytes,
  systemReserved: bytes,
  allocatable: bytes,
  reserved: bytes,
  free: bytes,
});
const nodeSchema = z.object({
  numberOfAssignments: z.number().int(),
  memoryMap: z.record(z.string(), tableSchema),
  cells: z.array(z.number().int()),
});
const blockSchema = z.object({ numaAffinity: z.array(z.number().int()), type: z.string(), size: bytes });
const checkpointSchema = z.object({
  policyName: z.string().default(''),
  machineState: z.record(z.string().regex(/^\d+$/), nodeSchema),
  entries: z.record(z.string(), z.record(z.string(), z.array(blockSchema))).default({}),
  checksum: z.number().default(0),
});

/** The text of the checkpoint in upstream's first version, which 1.36 writes unless pod-level resource managers are enabled. */
export function encodeMemoryState(policyName: string, { machine, assignments }: MemoryState): string {
  const machineState = Object.fromEntries(
    [...machine].map(([id, { numberOfAssignments, memoryMap, cells }]) => [
      id,
      { numberOfAssignments, memoryMap: Object.fromEntries(sorted(memoryMap)), cells },
    ]),
  );
  const entries = Object.fromEntries(sorted(assignments).map(([uid, own]) => [uid, Object.fromEntries(sorted(own))]));
  const checksum = checksumOfState(policyName, new MemoryState(machine, assignments));
  const some = assignments.size > 0 ? { entries } : {};
  return JSON.stringify({ policyName, machineState, ...some, checksum });
}

/** Reads the checkpoint of a policy. Throws CorruptCheckpointError if the checksum differs, and Error if the policy differs. */
export function decodeMemoryState(data: Uint8Array, policyName: string): MemoryState {
  const checkpoint = checkpointSchema.parse(JSON.parse(Buffer.from(data).toString()));
  const nodes = Object.entries(checkpoint.machineState).map(([id, node]): [number, NumaNodeState] => [
    Number(id),
    { ...node, memoryMap: new Map(Object.entries(node.memoryMap)) },
  ]);
  const entries = Object.entries(checkpoint.entries).map(([uid, own]) => [uid, new Map(Object.entries(own))] as const);
  const state = new MemoryState(new Map(nodes), new Map(entries));
  if (checkpoint.checksum !== 0 && checkpoint.checksum !== checksumOfState(checkpoint.policyName, state))
    throw new CorruptCheckpointError();
  if (checkpoint.policyName !== policyName) {
    const [own, other] = [quote(policyName), quote(checkpoint.policyName)];
    throw new Error(`[memorymanager] configured policy ${own} differs from state checkpoint policy ${other}`);
  }
  return state;
}

const sorted = <T>(map: ReadonlyMap<string, T>): [string, T][] => [...map].sort(([a], [b]) => (a < b ? -1 : 1));

/** The hashed struct has the name from older kubelets in every version. */
function checksumOfState(policyName: string, { machine, assignments }: MemoryState): number {
  const entries = [...assignments].map(([uid, own]): [string, GoValue] => [
    uid,
    goMap(
      'map[string][]state.Block',
      [...own].map(([name, blocks]) => [name, goSlice('[]state.Block', blocks.map(goBlock))]),
    ),
  ]);
  return checksumOf(
    goPointer(
      goStruct('state.MemoryManagerCheckpoint', {
        PolicyName: goString(policyName),
        MachineState: goIntMap(
          'state.NUMANodeMap',
          [...machine].map(([id, node]) => [id, goPointer(goNode(node))]),
        ),
        Entries: goMap('state.ContainerMemoryAssignments', entries),
        Checksum: goInt('checksum.Checksum', 0),
      }),
    ),
  );
}

const goInts = (items: readonly number[]): GoValue =>
  goSlice(
    '[]int',
    items.map((item) => goInt('int', item)),
  );

const goNode = ({ numberOfAssignments, memoryMap, cells }: NumaNodeState): GoValue =>
  goStruct('state.NUMANodeState', {
    NumberOfAssignments: goInt('int', numberOfAssignments),
    MemoryMap: goMap(
      'map[v1.ResourceName]*state.MemoryTable',
      [...memoryMap].map(([name, table]) => [name, goPointer(goTable(table))]),
    ),
    Cells: goInts(cells),
  });

const goTable = ({ total, systemReserved, allocatable, reserved, free }: MemoryTable): GoValue =>
  goStruct('state.MemoryTable', {
    TotalMemSize: goInt('uint64', total),
    SystemReserved: goInt('uint64', systemReserved),
    Allocatable: goInt('uint64', allocatable),
    Reserved: goInt('uint64', reserved),
    Free: goInt('uint64', free),
  });

const goBlock = ({ numaAffinity, type, size }: Block): GoValue =>
  goStruct('state.Block', {
    NUMAAffinity: goInts(numaAffinity),
    Type: goString(type, 'v1.ResourceName'),
    Size: goInt('uint64', size),
  });
