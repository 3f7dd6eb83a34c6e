// Written by `npm run generate:grpc`.
import { BinaryReader, BinaryWriter } from "@bufbuild/protobuf/wire";
import { Timestamp } from "./google/protobuf/timestamp.ts";
import { BoolValue, Int64Value } from "./google/protobuf/wrappers.ts";

export interface GetPluginInfoRequest {
}

export interface GetPluginInfoResponse {
  name: string;
  vendorVersion: string;
  manifest: { [key: string]: string };
}

export interface GetPluginInfoResponse_ManifestEntry {
  key: string;
  value: string;
}

export interface GetPluginCapabilitiesRequest {
}

export interface GetPluginCapabilitiesResponse {
  capabilities: PluginCapability[];
}

export interface PluginCapability {
  service?: PluginCapability_Service | undefined;
  volumeExpansion?: PluginCapability_VolumeExpansion | undefined;
}

export interface PluginCapability_Service {
  type: PluginCapability_Service_Type;
}

export const PluginCapability_Service_Type = {
  UNKNOWN: 0,
  CONTROLLER_SERVICE: 1,
  VOLUME_ACCESSIBILITY_CONSTRAINTS: 2,
  GROUP_CONTROLLER_SERVICE: 3,
  UNRECOGNIZED: -1,
} as const;

export type PluginCapability_Service_Type =
  typeof PluginCapability_Service_Type[keyof typeof PluginCapability_Service_Type];

export interface PluginCapability_VolumeExpansion {
  type: PluginCapability_VolumeExpansion_Type;
}

export const PluginCapability_VolumeExpansion_Type = {
  UNKNOWN: 0,
  ONLINE: 1,
  OFFLINE: 2,
  UNRECOGNIZED: -1,
} as const;

export type PluginCapability_VolumeExpansion_Type =
  typeof PluginCapability_VolumeExpansion_Type[keyof typeof PluginCapability_VolumeExpansion_Type];

export interface ProbeRequest {
}

export interface ProbeResponse {
  ready: boolean | undefined;
}

export interface CreateVolumeRequest {
  name: string;
  capacityRange:
    | CapacityRange
    | undefined;
  volumeCapabilities: VolumeCapability[];
  parameters: { [key: string]: string };
  secrets: { [key: string]: string };
  volumeContentSource:
    | VolumeContentSource
    | undefined;
  accessibilityRequirements:
    | TopologyRequirement
    | undefined;
  mutableParameters: { [key: string]: string };
}

export interface CreateVolumeRequest_ParametersEntry {
  key: string;
  value: string;
}

export interface CreateVolumeRequest_SecretsEntry {
  key: string;
  value: string;
}

export interface CreateVolumeRequest_MutableParametersEntry {
  key: string;
  value: string;
}

export interface VolumeContentSource {
  snapshot?: VolumeContentSource_SnapshotSource | undefined;
  volume?: VolumeContentSource_VolumeSource | undefined;
}

export interface VolumeContentSource_SnapshotSource {
  snapshotId: string;
}

export interface VolumeContentSource_VolumeSource {
  volumeId: string;
}

export interface CreateVolumeResponse {
  volume: Volume | undefined;
}

export interface VolumeCapability {
  block?: VolumeCapability_BlockVolume | undefined;
  mount?:
    | VolumeCapability_MountVolume
    | undefined;
  accessMode: VolumeCapability_AccessMode | undefined;
}

export interface VolumeCapability_BlockVolume {
}

export interface VolumeCapability_MountVolume {
  fsType: string;
  mountFlags: string[];
  volumeMountGroup: string;
}

export interface VolumeCapability_AccessMode {
  mode: VolumeCapability_AccessMode_Mode;
}

export const VolumeCapability_AccessMode_Mode = {
  UNKNOWN: 0,
  SINGLE_NODE_WRITER: 1,
  SINGLE_NODE_READER_ONLY: 2,
  MULTI_NODE_READER_ONLY: 3,
  MULTI_NODE_SINGLE_WRITER: 4,
  MULTI_NODE_MULTI_WRITER: 5,
  SINGLE_NODE_SINGLE_WRITER: 6,
  SINGLE_NODE_MULTI_WRITER: 7,
  UNRECOGNIZED: -1,
} as const;

export type VolumeCapability_AccessMode_Mode =
  typeof VolumeCapability_AccessMode_Mode[keyof typeof VolumeCapability_AccessMode_Mode];

export interface CapacityRange {
  requiredBytes: number;
  limitBytes: number;
}

export interface Volume {
  capacityBytes: number;
  volumeId: string;
  volumeContext: { [key: string]: string };
  contentSource:
    | VolumeContentSource
    | undefined;
  accessibleTopology: Topology[];
}

export interface Volume_VolumeContextEntry {
  key: string;
  value: string;
}

export interface TopologyRequirement {
  requisite: Topology[];
  preferred: Topology[];
}

export interface Topology {
  segments: { [key: string]: string };
}

export interface Topology_SegmentsEntry {
  key: string;
  value: string;
}

export interface DeleteVolumeRequest {
  volumeId: string;
  secrets: { [key: string]: string };
}

export interface DeleteVolumeRequest_SecretsEntry {
  key: string;
  value: string;
}

export interface DeleteVolumeResponse {
}

export interface ControllerPublishVolumeRequest {
  volumeId: string;
  nodeId: string;
  volumeCapability:
    | VolumeCapability
    | undefined;
  readonly: boolean;
  secrets: { [key: string]: string };
  volumeContext: { [key: string]: string };
}

export interface ControllerPublishVolumeRequest_SecretsEntry {
  key: string;
  value: string;
}

export interface ControllerPublishVolumeRequest_VolumeContextEntry {
  key: string;
  value: string;
}

export interface ControllerPublishVolumeResponse {
  publishContext: { [key: string]: string };
}

export interface ControllerPublishVolumeResponse_PublishContextEntry {
  key: string;
  value: string;
}

export interface ControllerUnpublishVolumeRequest {
  volumeId: string;
  nodeId: string;
  secrets: { [key: string]: string };
}

export interface ControllerUnpublishVolumeRequest_SecretsEntry {
  key: string;
  value: string;
}

export interface ControllerUnpublishVolumeResponse {
}

export interface ValidateVolumeCapabilitiesRequest {
  volumeId: string;
  volumeContext: { [key: string]: string };
  volumeCapabilities: VolumeCapability[];
  parameters: { [key: string]: string };
  secrets: { [key: string]: string };
  mutableParameters: { [key: string]: string };
}

export interface ValidateVolumeCapabilitiesRequest_VolumeContextEntry {
  key: string;
  value: string;
}

export interface ValidateVolumeCapabilitiesRequest_ParametersEntry {
  key: string;
  value: string;
}

export interface ValidateVolumeCapabilitiesRequest_SecretsEntry {
  key: string;
  value: string;
}

export interface ValidateVolumeCapabilitiesRequest_MutableParametersEntry {
  key: string;
  value: string;
}

export interface ValidateVolumeCapabilitiesResponse {
  confirmed:
    | ValidateVolumeCapabilitiesResponse_Confirmed
    | undefined;
  message: string;
}

export interface ValidateVolumeCapabilitiesResponse_Confirmed {
  volumeContext: { [key: string]: string };
  volumeCapabilities: VolumeCapability[];
  parameters: { [key: string]: string };
  mutableParameters: { [key: string]: string };
}

export interface ValidateVolumeCapabilitiesResponse_Confirmed_VolumeContextEntry {
  key: string;
  value: string;
}

export interface ValidateVolumeCapabilitiesResponse_Confirmed_ParametersEntry {
  key: string;
  value: string;
}

export interface ValidateVolumeCapabilitiesResponse_Confirmed_MutableParametersEntry {
  key: string;
  value: string;
}

export interface ListVolumesRequest {
  maxEntries: number;
  startingToken: string;
}

export interface ListVolumesResponse {
  entries: ListVolumesResponse_Entry[];
  nextToken: string;
}

export interface ListVolumesResponse_VolumeStatus {
  publishedNodeIds: string[];
  volumeCondition: VolumeCondition | undefined;
}

export interface ListVolumesResponse_Entry {
  volume:
    | Volume
    | undefined;
  status: ListVolumesResponse_VolumeStatus | undefined;
}

export interface ControllerGetVolumeRequest {
  volumeId: string;
}

export interface ControllerGetVolumeResponse {
  volume:
    | Volume
    | undefined;
  status: ControllerGetVolumeResponse_VolumeStatus | undefined;
}

export interface ControllerGetVolumeResponse_VolumeStatus {
  publishedNodeIds: string[];
  volumeCondition: VolumeCondition | undefined;
}

export interface ControllerModifyVolumeRequest {
  volumeId: string;
  secrets: { [key: string]: string };
  mutableParameters: { [key: string]: string };
}

export interface ControllerModifyVolumeRequest_SecretsEntry {
  key: string;
  value: string;
}

export interface ControllerModifyVolumeRequest_MutableParametersEntry {
  key: string;
  value: string;
}

export interface ControllerModifyVolumeResponse {
}

export interface GetCapacityRequest {
  volumeCapabilities: VolumeCapability[];
  parameters: { [key: string]: string };
  accessibleTopology: Topology | undefined;
}

export interface GetCapacityRequest_ParametersEntry {
  key: string;
  value: string;
}

export interface GetCapacityResponse {
  availableCapacity: number;
  maximumVolumeSize:
    | number
    | undefined;
  minimumVolumeSize: number | undefined;
}

export interface ControllerGetCapabilitiesRequest {
}

export interface ControllerGetCapabilitiesResponse {
  capabilities: ControllerServiceCapability[];
}

export interface ControllerServiceCapability {
  rpc?: ControllerServiceCapability_RPC | undefined;
}

export interface ControllerServiceCapability_RPC {
  type: ControllerServiceCapability_RPC_Type;
}

export const ControllerServiceCapability_RPC_Type = {
  UNKNOWN: 0,
  CREATE_DELETE_VOLUME: 1,
  PUBLISH_UNPUBLISH_VOLUME: 2,
  LIST_VOLUMES: 3,
  GET_CAPACITY: 4,
  CREATE_DELETE_SNAPSHOT: 5,
  LIST_SNAPSHOTS: 6,
  CLONE_VOLUME: 7,
  PUBLISH_READONLY: 8,
  EXPAND_VOLUME: 9,
  LIST_VOLUMES_PUBLISHED_NODES: 10,
  VOLUME_CONDITION: 11,
  GET_VOLUME: 12,
  SINGLE_NODE_MULTI_WRITER: 13,
  MODIFY_VOLUME: 14,
  UNRECOGNIZED: -1,
} as const;

export type ControllerServiceCapability_RPC_Type =
  typeof ControllerServiceCapability_RPC_Type[keyof typeof ControllerServiceCapability_RPC_Type];

export interface CreateSnapshotRequest {
  sourceVolumeId: string;
  name: string;
  secrets: { [key: string]: string };
  parameters: { [key: string]: string };
}

export interface CreateSnapshotRequest_SecretsEntry {
  key: string;
  value: string;
}

export interface CreateSnapshotRequest_ParametersEntry {
  key: string;
  value: string;
}

export interface CreateSnapshotResponse {
  snapshot: Snapshot | undefined;
}

export interface Snapshot {
  sizeBytes: number;
  snapshotId: string;
  sourceVolumeId: string;
  creationTime:
    | Date
    | undefined;
  readyToUse: boolean;
  groupSnapshotId: string;
}

export interface DeleteSnapshotRequest {
  snapshotId: string;
  secrets: { [key: string]: string };
}

export interface DeleteSnapshotRequest_SecretsEntry {
  key: string;
  value: string;
}

export interface DeleteSnapshotResponse {
}

export interface ListSnapshotsRequest {
  maxEntries: number;
  startingToken: string;
  sourceVolumeId: string;
  snapshotId: string;
  secrets: { [key: string]: string };
}

export interface ListSnapshotsRequest_SecretsEntry {
  key: string;
  value: string;
}

export interface ListSnapshotsResponse {
  entries: ListSnapshotsResponse_Entry[];
  nextToken: string;
}

export interface ListSnapshotsResponse_Entry {
  snapshot: Snapshot | undefined;
}

export interface ControllerExpandVolumeRequest {
  volumeId: string;
  capacityRange:
    | CapacityRange
    | undefined;
  secrets: { [key: string]: string };
  volumeCapability: VolumeCapability | undefined;
}

export interface ControllerExpandVolumeRequest_SecretsEntry {
  key: string;
  value: string;
}

export interface ControllerExpandVolumeResponse {
  capacityBytes: number;
  nodeExpansionRequired: boolean;
}

export interface NodeStageVolumeRequest {
  volumeId: string;
  publishContext: { [key: string]: string };
  stagingTargetPath: string;
  volumeCapability:
    | VolumeCapability
    | undefined;
  secrets: { [key: string]: string };
  volumeContext: { [key: string]: string };
}

export interface NodeStageVolumeRequest_PublishContextEntry {
  key: string;
  value: string;
}

export interface NodeStageVolumeRequest_SecretsEntry {
  key: string;
  value: string;
}

export interface NodeStageVolumeRequest_VolumeContextEntry {
  key: string;
  value: string;
}

export interface NodeStageVolumeResponse {
}

export interface NodeUnstageVolumeRequest {
  volumeId: string;
  stagingTargetPath: string;
}

export interface NodeUnstageVolumeResponse {
}

export interface NodePublishVolumeRequest {
  volumeId: string;
  publishContext: { [key: string]: string };
  stagingTargetPath: string;
  targetPath: string;
  volumeCapability:
    | VolumeCapability
    | undefined;
  readonly: boolean;
  secrets: { [key: string]: string };
  volumeContext: { [key: string]: string };
}

export interface NodePublishVolumeRequest_PublishContextEntry {
  key: string;
  value: string;
}

export interface NodePublishVolumeRequest_SecretsEntry {
  key: string;
  value: string;
}

export interface NodePublishVolumeRequest_VolumeContextEntry {
  key: string;
  value: string;
}

export interface NodePublishVolumeResponse {
}

export interface NodeUnpublishVolumeRequest {
  volumeId: string;
  targetPath: string;
}

export interface NodeUnpublishVolumeResponse {
}

export interface NodeGetVolumeStatsRequest {
  volumeId: string;
  volumePath: string;
  stagingTargetPath: string;
}

export interface NodeGetVolumeStatsResponse {
  usage: VolumeUsage[];
  volumeCondition: VolumeCondition | undefined;
}

export interface VolumeUsage {
  available: number;
  total: number;
  used: number;
  unit: VolumeUsage_Unit;
}

export const VolumeUsage_Unit = { UNKNOWN: 0, BYTES: 1, INODES: 2, UNRECOGNIZED: -1 } as const;

export type VolumeUsage_Unit = typeof VolumeUsage_Unit[keyof typeof VolumeUsage_Unit];

export interface VolumeCondition {
  abnormal: boolean;
  message: string;
}

export interface NodeGetCapabilitiesRequest {
}

export interface NodeGetCapabilitiesResponse {
  capabilities: NodeServiceCapability[];
}

export interface NodeServiceCapability {
  rpc?: NodeServiceCapability_RPC | undefined;
}

export interface NodeServiceCapability_RPC {
  type: NodeServiceCapability_RPC_Type;
}

export const NodeServiceCapability_RPC_Type = {
  UNKNOWN: 0,
  STAGE_UNSTAGE_VOLUME: 1,
  GET_VOLUME_STATS: 2,
  EXPAND_VOLUME: 3,
  VOLUME_CONDITION: 4,
  SINGLE_NODE_MULTI_WRITER: 5,
  VOLUME_MOUNT_GROUP: 6,
  UNRECOGNIZED: -1,
} as const;

export type NodeServiceCapability_RPC_Type =
  typeof NodeServiceCapability_RPC_Type[keyof typeof NodeServiceCapability_RPC_Type];

export interface NodeGetInfoRequest {
}

export interface NodeGetInfoResponse {
  nodeId: string;
  maxVolumesPerNode: number;
  accessibleTopology: Topology | undefined;
}

export interface NodeExpandVolumeRequest {
  volumeId: string;
  volumePath: string;
  capacityRange:
    | CapacityRange
    | undefined;
  stagingTargetPath: string;
  volumeCapability:
    | VolumeCapability
    | undefined;
  secrets: { [key: string]: string };
}

export interface NodeExpandVolumeRequest_SecretsEntry {
  key: string;
  value: string;
}

export interface NodeExpandVolumeResponse {
  capacityBytes: number;
}

export interface GroupControllerGetCapabilitiesRequest {
}

export interface GroupControllerGetCapabilitiesResponse {
  capabilities: GroupControllerServiceCapability[];
}

export interface GroupControllerServiceCapability {
  rpc?: GroupControllerServiceCapability_RPC | undefined;
}

export interface GroupControllerServiceCapability_RPC {
  type: GroupControllerServiceCapability_RPC_Type;
}

export const GroupControllerServiceCapability_RPC_Type = {
  UNKNOWN: 0,
  CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT: 1,
  UNRECOGNIZED: -1,
} as const;

export type GroupControllerServiceCapability_RPC_Type =
  typeof GroupControllerServiceCapability_RPC_Type[keyof typeof GroupControllerServiceCapability_RPC_Type];

export interface CreateVolumeGroupSnapshotRequest {
  name: string;
  sourceVolumeIds: string[];
  secrets: { [key: string]: string };
  parameters: { [key: string]: string };
}

export interface CreateVolumeGroupSnapshotRequest_SecretsEntry {
  key: string;
  value: string;
}

export interface CreateVolumeGroupSnapshotRequest_ParametersEntry {
  key: string;
  value: string;
}

export interface CreateVolumeGroupSnapshotResponse {
  groupSnapshot: VolumeGroupSnapshot | undefined;
}

export interface VolumeGroupSnapshot {
  groupSnapshotId: string;
  snapshots: Snapshot[];
  creationTime:
    | Date
    | undefined;
  readyToUse: boolean;
}

export interface DeleteVolumeGroupSnapshotRequest {
  groupSnapshotId: string;
  snapshotIds: string[];
  secrets: { [key: string]: string };
}

export interface DeleteVolumeGroupSnapshotRequest_SecretsEntry {
  key: string;
  value: string;
}

export interface DeleteVolumeGroupSnapshotResponse {
}

export interface GetVolumeGroupSnapshotRequest {
  groupSnapshotId: string;
  snapshotIds: string[];
  secrets: { [key: string]: string };
}

export interface GetVolumeGroupSnapshotRequest_SecretsEntry {
  key: string;
  value: string;
}

export interface GetVolumeGroupSnapshotResponse {
  groupSnapshot: VolumeGroupSnapshot | undefined;
}

function createBaseGetPluginInfoRequest(): GetPluginInfoRequest {
  return {};
}

export const GetPluginInfoRequest: MessageFns<GetPluginInfoRequest> = {
  encode(_: GetPluginInfoRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): GetPluginInfoRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseGetPluginInfoRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<GetPluginInfoRequest>): GetPluginInfoRequest {
    return GetPluginInfoRequest.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<GetPluginInfoRequest>): GetPluginInfoRequest {
    const message = createBaseGetPluginInfoRequest();
    return message;
  },
};

function createBaseGetPluginInfoResponse(): GetPluginInfoResponse {
  return { name: "", vendorVersion: "", manifest: {} };
}

export const GetPluginInfoResponse: MessageFns<GetPluginInfoResponse> = {
  encode(message: GetPluginInfoResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.name !== "") {
      writer.uint32(10).string(message.name);
    }
    if (message.vendorVersion !== "") {
      writer.uint32(18).string(message.vendorVersion);
    }
    globalThis.Object.entries(message.manifest).forEach(([key, value]: [string, string]) => {
      GetPluginInfoResponse_ManifestEntry.encode({ key: key as any, value }, writer.uint32(26).fork()).join();
    });
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): GetPluginInfoResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseGetPluginInfoResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.name = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.vendorVersion = reader.string();
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            const entry3 = GetPluginInfoResponse_ManifestEntry.decode(reader, reader.uint32());
            if (entry3.value !== undefined) {
              message.manifest[entry3.key] = entry3.value;
            }
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<GetPluginInfoResponse>): GetPluginInfoResponse {
    return GetPluginInfoResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<GetPluginInfoResponse>): GetPluginInfoResponse {
    const message = createBaseGetPluginInfoResponse();
    message.name = object.name ?? "";
    message.vendorVersion = object.vendorVersion ?? "";
    message.manifest = (globalThis.Object.entries(object.manifest ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    return message;
  },
};

function createBaseGetPluginInfoResponse_ManifestEntry(): GetPluginInfoResponse_ManifestEntry {
  return { key: "", value: "" };
}

export const GetPluginInfoResponse_ManifestEntry: MessageFns<GetPluginInfoResponse_ManifestEntry> = {
  encode(message: GetPluginInfoResponse_ManifestEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): GetPluginInfoResponse_ManifestEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseGetPluginInfoResponse_ManifestEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<GetPluginInfoResponse_ManifestEntry>): GetPluginInfoResponse_ManifestEntry {
    return GetPluginInfoResponse_ManifestEntry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<GetPluginInfoResponse_ManifestEntry>): GetPluginInfoResponse_ManifestEntry {
    const message = createBaseGetPluginInfoResponse_ManifestEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseGetPluginCapabilitiesRequest(): GetPluginCapabilitiesRequest {
  return {};
}

export const GetPluginCapabilitiesRequest: MessageFns<GetPluginCapabilitiesRequest> = {
  encode(_: GetPluginCapabilitiesRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): GetPluginCapabilitiesRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseGetPluginCapabilitiesRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<GetPluginCapabilitiesRequest>): GetPluginCapabilitiesRequest {
    return GetPluginCapabilitiesRequest.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<GetPluginCapabilitiesRequest>): GetPluginCapabilitiesRequest {
    const message = createBaseGetPluginCapabilitiesRequest();
    return message;
  },
};

function createBaseGetPluginCapabilitiesResponse(): GetPluginCapabilitiesResponse {
  return { capabilities: [] };
}

export const GetPluginCapabilitiesResponse: MessageFns<GetPluginCapabilitiesResponse> = {
  encode(message: GetPluginCapabilitiesResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.capabilities) {
      PluginCapability.encode(v!, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): GetPluginCapabilitiesResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseGetPluginCapabilitiesResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.capabilities.push(PluginCapability.decode(reader, reader.uint32()));
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<GetPluginCapabilitiesResponse>): GetPluginCapabilitiesResponse {
    return GetPluginCapabilitiesResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<GetPluginCapabilitiesResponse>): GetPluginCapabilitiesResponse {
    const message = createBaseGetPluginCapabilitiesResponse();
    message.capabilities = object.capabilities?.map((e) => PluginCapability.fromPartial(e)) || [];
    return message;
  },
};

function createBasePluginCapability(): PluginCapability {
  return { service: undefined, volumeExpansion: undefined };
}

export const PluginCapability: MessageFns<PluginCapability> = {
  encode(message: PluginCapability, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.service !== undefined) {
      PluginCapability_Service.encode(message.service, writer.uint32(10).fork()).join();
    }
    if (message.volumeExpansion !== undefined) {
      PluginCapability_VolumeExpansion.encode(message.volumeExpansion, writer.uint32(18).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): PluginCapability {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBasePluginCapability();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.service = PluginCapability_Service.decode(reader, reader.uint32());
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.volumeExpansion = PluginCapability_VolumeExpansion.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<PluginCapability>): PluginCapability {
    return PluginCapability.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<PluginCapability>): PluginCapability {
    const message = createBasePluginCapability();
    message.service = (object.service !== undefined && object.service !== null)
      ? PluginCapability_Service.fromPartial(object.service)
      : undefined;
    message.volumeExpansion = (object.volumeExpansion !== undefined && object.volumeExpansion !== null)
      ? PluginCapability_VolumeExpansion.fromPartial(object.volumeExpansion)
      : undefined;
    return message;
  },
};

function createBasePluginCapability_Service(): PluginCapability_Service {
  return { type: 0 };
}

export const PluginCapability_Service: MessageFns<PluginCapability_Service> = {
  encode(message: PluginCapability_Service, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.type !== 0) {
      writer.uint32(8).int32(message.type);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): PluginCapability_Service {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBasePluginCapability_Service();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.type = reader.int32() as any;
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<PluginCapability_Service>): PluginCapability_Service {
    return PluginCapability_Service.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<PluginCapability_Service>): PluginCapability_Service {
    const message = createBasePluginCapability_Service();
    message.type = object.type ?? 0;
    return message;
  },
};

function createBasePluginCapability_VolumeExpansion(): PluginCapability_VolumeExpansion {
  return { type: 0 };
}

export const PluginCapability_VolumeExpansion: MessageFns<PluginCapability_VolumeExpansion> = {
  encode(message: PluginCapability_VolumeExpansion, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.type !== 0) {
      writer.uint32(8).int32(message.type);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): PluginCapability_VolumeExpansion {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBasePluginCapability_VolumeExpansion();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.type = reader.int32() as any;
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<PluginCapability_VolumeExpansion>): PluginCapability_VolumeExpansion {
    return PluginCapability_VolumeExpansion.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<PluginCapability_VolumeExpansion>): PluginCapability_VolumeExpansion {
    const message = createBasePluginCapability_VolumeExpansion();
    message.type = object.type ?? 0;
    return message;
  },
};

function createBaseProbeRequest(): ProbeRequest {
  return {};
}

export const ProbeRequest: MessageFns<ProbeRequest> = {
  encode(_: ProbeRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ProbeRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseProbeRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ProbeRequest>): ProbeRequest {
    return ProbeRequest.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<ProbeRequest>): ProbeRequest {
    const message = createBaseProbeRequest();
    return message;
  },
};

function createBaseProbeResponse(): ProbeResponse {
  return { ready: undefined };
}

export const ProbeResponse: MessageFns<ProbeResponse> = {
  encode(message: ProbeResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.ready !== undefined) {
      BoolValue.encode({ value: message.ready! }, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ProbeResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseProbeResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.ready = BoolValue.decode(reader, reader.uint32()).value;
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ProbeResponse>): ProbeResponse {
    return ProbeResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ProbeResponse>): ProbeResponse {
    const message = createBaseProbeResponse();
    message.ready = object.ready ?? undefined;
    return message;
  },
};

function createBaseCreateVolumeRequest(): CreateVolumeRequest {
  return {
    name: "",
    capacityRange: undefined,
    volumeCapabilities: [],
    parameters: {},
    secrets: {},
    volumeContentSource: undefined,
    accessibilityRequirements: undefined,
    mutableParameters: {},
  };
}

export const CreateVolumeRequest: MessageFns<CreateVolumeRequest> = {
  encode(message: CreateVolumeRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.name !== "") {
      writer.uint32(10).string(message.name);
    }
    if (message.capacityRange !== undefined) {
      CapacityRange.encode(message.capacityRange, writer.uint32(18).fork()).join();
    }
    for (const v of message.volumeCapabilities) {
      VolumeCapability.encode(v!, writer.uint32(26).fork()).join();
    }
    globalThis.Object.entries(message.parameters).forEach(([key, value]: [string, string]) => {
      CreateVolumeRequest_ParametersEntry.encode({ key: key as any, value }, writer.uint32(34).fork()).join();
    });
    globalThis.Object.entries(message.secrets).forEach(([key, value]: [string, string]) => {
      CreateVolumeRequest_SecretsEntry.encode({ key: key as any, value }, writer.uint32(42).fork()).join();
    });
    if (message.volumeContentSource !== undefined) {
      VolumeContentSource.encode(message.volumeContentSource, writer.uint32(50).fork()).join();
    }
    if (message.accessibilityRequirements !== undefined) {
      TopologyRequirement.encode(message.accessibilityRequirements, writer.uint32(58).fork()).join();
    }
    globalThis.Object.entries(message.mutableParameters).forEach(([key, value]: [string, string]) => {
      CreateVolumeRequest_MutableParametersEntry.encode({ key: key as any, value }, writer.uint32(66).fork()).join();
    });
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): CreateVolumeRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseCreateVolumeRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.name = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.capacityRange = CapacityRange.decode(reader, reader.uint32());
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.volumeCapabilities.push(VolumeCapability.decode(reader, reader.uint32()));
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            const entry4 = CreateVolumeRequest_ParametersEntry.decode(reader, reader.uint32());
            if (entry4.value !== undefined) {
              message.parameters[entry4.key] = entry4.value;
            }
            continue;
          }
          case 5: {
            if (tag !== 42) {
              break;
            }

            const entry5 = CreateVolumeRequest_SecretsEntry.decode(reader, reader.uint32());
            if (entry5.value !== undefined) {
              message.secrets[entry5.key] = entry5.value;
            }
            continue;
          }
          case 6: {
            if (tag !== 50) {
              break;
            }

            message.volumeContentSource = VolumeContentSource.decode(reader, reader.uint32());
            continue;
          }
          case 7: {
            if (tag !== 58) {
              break;
            }

            message.accessibilityRequirements = TopologyRequirement.decode(reader, reader.uint32());
            continue;
          }
          case 8: {
            if (tag !== 66) {
              break;
            }

            const entry8 = CreateVolumeRequest_MutableParametersEntry.decode(reader, reader.uint32());
            if (entry8.value !== undefined) {
              message.mutableParameters[entry8.key] = entry8.value;
            }
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<CreateVolumeRequest>): CreateVolumeRequest {
    return CreateVolumeRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<CreateVolumeRequest>): CreateVolumeRequest {
    const message = createBaseCreateVolumeRequest();
    message.name = object.name ?? "";
    message.capacityRange = (object.capacityRange !== undefined && object.capacityRange !== null)
      ? CapacityRange.fromPartial(object.capacityRange)
      : undefined;
    message.volumeCapabilities = object.volumeCapabilities?.map((e) => VolumeCapability.fromPartial(e)) || [];
    message.parameters = (globalThis.Object.entries(object.parameters ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    message.secrets = (globalThis.Object.entries(object.secrets ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    message.volumeContentSource = (object.volumeContentSource !== undefined && object.volumeContentSource !== null)
      ? VolumeContentSource.fromPartial(object.volumeContentSource)
      : undefined;
    message.accessibilityRequirements =
      (object.accessibilityRequirements !== undefined && object.accessibilityRequirements !== null)
        ? TopologyRequirement.fromPartial(object.accessibilityRequirements)
        : undefined;
    message.mutableParameters = (globalThis.Object.entries(object.mutableParameters ?? {}) as [string, string][])
      .reduce((acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      }, {});
    return message;
  },
};

function createBaseCreateVolumeRequest_ParametersEntry(): CreateVolumeRequest_ParametersEntry {
  return { key: "", value: "" };
}

export const CreateVolumeRequest_ParametersEntry: MessageFns<CreateVolumeRequest_ParametersEntry> = {
  encode(message: CreateVolumeRequest_ParametersEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): CreateVolumeRequest_ParametersEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseCreateVolumeRequest_ParametersEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<CreateVolumeRequest_ParametersEntry>): CreateVolumeRequest_ParametersEntry {
    return CreateVolumeRequest_ParametersEntry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<CreateVolumeRequest_ParametersEntry>): CreateVolumeRequest_ParametersEntry {
    const message = createBaseCreateVolumeRequest_ParametersEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseCreateVolumeRequest_SecretsEntry(): CreateVolumeRequest_SecretsEntry {
  return { key: "", value: "" };
}

export const CreateVolumeRequest_SecretsEntry: MessageFns<CreateVolumeRequest_SecretsEntry> = {
  encode(message: CreateVolumeRequest_SecretsEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): CreateVolumeRequest_SecretsEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseCreateVolumeRequest_SecretsEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<CreateVolumeRequest_SecretsEntry>): CreateVolumeRequest_SecretsEntry {
    return CreateVolumeRequest_SecretsEntry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<CreateVolumeRequest_SecretsEntry>): CreateVolumeRequest_SecretsEntry {
    const message = createBaseCreateVolumeRequest_SecretsEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseCreateVolumeRequest_MutableParametersEntry(): CreateVolumeRequest_MutableParametersEntry {
  return { key: "", value: "" };
}

export const CreateVolumeRequest_MutableParametersEntry: MessageFns<CreateVolumeRequest_MutableParametersEntry> = {
  encode(message: CreateVolumeRequest_MutableParametersEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): CreateVolumeRequest_MutableParametersEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseCreateVolumeRequest_MutableParametersEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<CreateVolumeRequest_MutableParametersEntry>): CreateVolumeRequest_MutableParametersEntry {
    return CreateVolumeRequest_MutableParametersEntry.fromPartial(base ?? {});
  },
  fromPartial(
    object: DeepPartial<CreateVolumeRequest_MutableParametersEntry>,
  ): CreateVolumeRequest_MutableParametersEntry {
    const message = createBaseCreateVolumeRequest_MutableParametersEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseVolumeContentSource(): VolumeContentSource {
  return { snapshot: undefined, volume: undefined };
}

export const VolumeContentSource: MessageFns<VolumeContentSource> = {
  encode(message: VolumeContentSource, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.snapshot !== undefined) {
      VolumeContentSource_SnapshotSource.encode(message.snapshot, writer.uint32(10).fork()).join();
    }
    if (message.volume !== undefined) {
      VolumeContentSource_VolumeSource.encode(message.volume, writer.uint32(18).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): VolumeContentSource {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseVolumeContentSource();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.snapshot = VolumeContentSource_SnapshotSource.decode(reader, reader.uint32());
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.volume = VolumeContentSource_VolumeSource.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<VolumeContentSource>): VolumeContentSource {
    return VolumeContentSource.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<VolumeContentSource>): VolumeContentSource {
    const message = createBaseVolumeContentSource();
    message.snapshot = (object.snapshot !== undefined && object.snapshot !== null)
      ? VolumeContentSource_SnapshotSource.fromPartial(object.snapshot)
      : undefined;
    message.volume = (object.volume !== undefined && object.volume !== null)
      ? VolumeContentSource_VolumeSource.fromPartial(object.volume)
      : undefined;
    return message;
  },
};

function createBaseVolumeContentSource_SnapshotSource(): VolumeContentSource_SnapshotSource {
  return { snapshotId: "" };
}

export const VolumeContentSource_SnapshotSource: MessageFns<VolumeContentSource_SnapshotSource> = {
  encode(message: VolumeContentSource_SnapshotSource, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.snapshotId !== "") {
      writer.uint32(10).string(message.snapshotId);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): VolumeContentSource_SnapshotSource {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseVolumeContentSource_SnapshotSource();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.snapshotId = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<VolumeContentSource_SnapshotSource>): VolumeContentSource_SnapshotSource {
    return VolumeContentSource_SnapshotSource.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<VolumeContentSource_SnapshotSource>): VolumeContentSource_SnapshotSource {
    const message = createBaseVolumeContentSource_SnapshotSource();
    message.snapshotId = object.snapshotId ?? "";
    return message;
  },
};

function createBaseVolumeContentSource_VolumeSource(): VolumeContentSource_VolumeSource {
  return { volumeId: "" };
}

export const VolumeContentSource_VolumeSource: MessageFns<VolumeContentSource_VolumeSource> = {
  encode(message: VolumeContentSource_VolumeSource, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.volumeId !== "") {
      writer.uint32(10).string(message.volumeId);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): VolumeContentSource_VolumeSource {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseVolumeContentSource_VolumeSource();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.volumeId = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<VolumeContentSource_VolumeSource>): VolumeContentSource_VolumeSource {
    return VolumeContentSource_VolumeSource.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<VolumeContentSource_VolumeSource>): VolumeContentSource_VolumeSource {
    const message = createBaseVolumeContentSource_VolumeSource();
    message.volumeId = object.volumeId ?? "";
    return message;
  },
};

function createBaseCreateVolumeResponse(): CreateVolumeResponse {
  return { volume: undefined };
}

export const CreateVolumeResponse: MessageFns<CreateVolumeResponse> = {
  encode(message: CreateVolumeResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.volume !== undefined) {
      Volume.encode(message.volume, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): CreateVolumeResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseCreateVolumeResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.volume = Volume.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<CreateVolumeResponse>): CreateVolumeResponse {
    return CreateVolumeResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<CreateVolumeResponse>): CreateVolumeResponse {
    const message = createBaseCreateVolumeResponse();
    message.volume = (object.volume !== undefined && object.volume !== null)
      ? Volume.fromPartial(object.volume)
      : undefined;
    return message;
  },
};

function createBaseVolumeCapability(): VolumeCapability {
  return { block: undefined, mount: undefined, accessMode: undefined };
}

export const VolumeCapability: MessageFns<VolumeCapability> = {
  encode(message: VolumeCapability, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.block !== undefined) {
      VolumeCapability_BlockVolume.encode(message.block, writer.uint32(10).fork()).join();
    }
    if (message.mount !== undefined) {
      VolumeCapability_MountVolume.encode(message.mount, writer.uint32(18).fork()).join();
    }
    if (message.accessMode !== undefined) {
      VolumeCapability_AccessMode.encode(message.accessMode, writer.uint32(26).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): VolumeCapability {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseVolumeCapability();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.block = VolumeCapability_BlockVolume.decode(reader, reader.uint32());
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.mount = VolumeCapability_MountVolume.decode(reader, reader.uint32());
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.accessMode = VolumeCapability_AccessMode.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<VolumeCapability>): VolumeCapability {
    return VolumeCapability.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<VolumeCapability>): VolumeCapability {
    const message = createBaseVolumeCapability();
    message.block = (object.block !== undefined && object.block !== null)
      ? VolumeCapability_BlockVolume.fromPartial(object.block)
      : undefined;
    message.mount = (object.mount !== undefined && object.mount !== null)
      ? VolumeCapability_MountVolume.fromPartial(object.mount)
      : undefined;
    message.accessMode = (object.accessMode !== undefined && object.accessMode !== null)
      ? VolumeCapability_AccessMode.fromPartial(object.accessMode)
      : undefined;
    return message;
  },
};

function createBaseVolumeCapability_BlockVolume(): VolumeCapability_BlockVolume {
  return {};
}

export const VolumeCapability_BlockVolume: MessageFns<VolumeCapability_BlockVolume> = {
  encode(_: VolumeCapability_BlockVolume, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): VolumeCapability_BlockVolume {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseVolumeCapability_BlockVolume();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<VolumeCapability_BlockVolume>): VolumeCapability_BlockVolume {
    return VolumeCapability_BlockVolume.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<VolumeCapability_BlockVolume>): VolumeCapability_BlockVolume {
    const message = createBaseVolumeCapability_BlockVolume();
    return message;
  },
};

function createBaseVolumeCapability_MountVolume(): VolumeCapability_MountVolume {
  return { fsType: "", mountFlags: [], volumeMountGroup: "" };
}

export const VolumeCapability_MountVolume: MessageFns<VolumeCapability_MountVolume> = {
  encode(message: VolumeCapability_MountVolume, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.fsType !== "") {
      writer.uint32(10).string(message.fsType);
    }
    for (const v of message.mountFlags) {
      writer.uint32(18).string(v!);
    }
    if (message.volumeMountGroup !== "") {
      writer.uint32(26).string(message.volumeMountGroup);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): VolumeCapability_MountVolume {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseVolumeCapability_MountVolume();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.fsType = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.mountFlags.push(reader.string());
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.volumeMountGroup = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<VolumeCapability_MountVolume>): VolumeCapability_MountVolume {
    return VolumeCapability_MountVolume.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<VolumeCapability_MountVolume>): VolumeCapability_MountVolume {
    const message = createBaseVolumeCapability_MountVolume();
    message.fsType = object.fsType ?? "";
    message.mountFlags = object.mountFlags?.map((e) => e) || [];
    message.volumeMountGroup = object.volumeMountGroup ?? "";
    return message;
  },
};

function createBaseVolumeCapability_AccessMode(): VolumeCapability_AccessMode {
  return { mode: 0 };
}

export const VolumeCapability_AccessMode: MessageFns<VolumeCapability_AccessMode> = {
  encode(message: VolumeCapability_AccessMode, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.mode !== 0) {
      writer.uint32(8).int32(message.mode);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): VolumeCapability_AccessMode {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseVolumeCapability_AccessMode();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.mode = reader.int32() as any;
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<VolumeCapability_AccessMode>): VolumeCapability_AccessMode {
    return VolumeCapability_AccessMode.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<VolumeCapability_AccessMode>): VolumeCapability_AccessMode {
    const message = createBaseVolumeCapability_AccessMode();
    message.mode = object.mode ?? 0;
    return message;
  },
};

function createBaseCapacityRange(): CapacityRange {
  return { requiredBytes: 0, limitBytes: 0 };
}

export const CapacityRange: MessageFns<CapacityRange> = {
  encode(message: CapacityRange, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.requiredBytes !== 0) {
      writer.uint32(8).int64(message.requiredBytes);
    }
    if (message.limitBytes !== 0) {
      writer.uint32(16).int64(message.limitBytes);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): CapacityRange {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseCapacityRange();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.requiredBytes = longToNumber(reader.int64());
            continue;
          }
          case 2: {
            if (tag !== 16) {
              break;
            }

            message.limitBytes = longToNumber(reader.int64());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<CapacityRange>): CapacityRange {
    return CapacityRange.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<CapacityRange>): CapacityRange {
    const message = createBaseCapacityRange();
    message.requiredBytes = object.requiredBytes ?? 0;
    message.limitBytes = object.limitBytes ?? 0;
    return message;
  },
};

function createBaseVolume(): Volume {
  return { capacityBytes: 0, volumeId: "", volumeContext: {}, contentSource: undefined, accessibleTopology: [] };
}

export const Volume: MessageFns<Volume> = {
  encode(message: Volume, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.capacityBytes !== 0) {
      writer.uint32(8).int64(message.capacityBytes);
    }
    if (message.volumeId !== "") {
      writer.uint32(18).string(message.volumeId);
    }
    globalThis.Object.entries(message.volumeContext).forEach(([key, value]: [string, string]) => {
      Volume_VolumeContextEntry.encode({ key: key as any, value }, writer.uint32(26).fork()).join();
    });
    if (message.contentSource !== undefined) {
      VolumeContentSource.encode(message.contentSource, writer.uint32(34).fork()).join();
    }
    for (const v of message.accessibleTopology) {
      Topology.encode(v!, writer.uint32(42).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): Volume {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseVolume();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.capacityBytes = longToNumber(reader.int64());
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.volumeId = reader.string();
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            const entry3 = Volume_VolumeContextEntry.decode(reader, reader.uint32());
            if (entry3.value !== undefined) {
              message.volumeContext[entry3.key] = entry3.value;
            }
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            message.contentSource = VolumeContentSource.decode(reader, reader.uint32());
            continue;
          }
          case 5: {
            if (tag !== 42) {
              break;
            }

            message.accessibleTopology.push(Topology.decode(reader, reader.uint32()));
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<Volume>): Volume {
    return Volume.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<Volume>): Volume {
    const message = createBaseVolume();
    message.capacityBytes = object.capacityBytes ?? 0;
    message.volumeId = object.volumeId ?? "";
    message.volumeContext = (globalThis.Object.entries(object.volumeContext ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    message.contentSource = (object.contentSource !== undefined && object.contentSource !== null)
      ? VolumeContentSource.fromPartial(object.contentSource)
      : undefined;
    message.accessibleTopology = object.accessibleTopology?.map((e) => Topology.fromPartial(e)) || [];
    return message;
  },
};

function createBaseVolume_VolumeContextEntry(): Volume_VolumeContextEntry {
  return { key: "", value: "" };
}

export const Volume_VolumeContextEntry: MessageFns<Volume_VolumeContextEntry> = {
  encode(message: Volume_VolumeContextEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): Volume_VolumeContextEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseVolume_VolumeContextEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<Volume_VolumeContextEntry>): Volume_VolumeContextEntry {
    return Volume_VolumeContextEntry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<Volume_VolumeContextEntry>): Volume_VolumeContextEntry {
    const message = createBaseVolume_VolumeContextEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseTopologyRequirement(): TopologyRequirement {
  return { requisite: [], preferred: [] };
}

export const TopologyRequirement: MessageFns<TopologyRequirement> = {
  encode(message: TopologyRequirement, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.requisite) {
      Topology.encode(v!, writer.uint32(10).fork()).join();
    }
    for (const v of message.preferred) {
      Topology.encode(v!, writer.uint32(18).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): TopologyRequirement {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseTopologyRequirement();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.requisite.push(Topology.decode(reader, reader.uint32()));
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.preferred.push(Topology.decode(reader, reader.uint32()));
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<TopologyRequirement>): TopologyRequirement {
    return TopologyRequirement.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<TopologyRequirement>): TopologyRequirement {
    const message = createBaseTopologyRequirement();
    message.requisite = object.requisite?.map((e) => Topology.fromPartial(e)) || [];
    message.preferred = object.preferred?.map((e) => Topology.fromPartial(e)) || [];
    return message;
  },
};

function createBaseTopology(): Topology {
  return { segments: {} };
}

export const Topology: MessageFns<Topology> = {
  encode(message: Topology, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    globalThis.Object.entries(message.segments).forEach(([key, value]: [string, string]) => {
      Topology_SegmentsEntry.encode({ key: key as any, value }, writer.uint32(10).fork()).join();
    });
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): Topology {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseTopology();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            const entry1 = Topology_SegmentsEntry.decode(reader, reader.uint32());
            if (entry1.value !== undefined) {
              message.segments[entry1.key] = entry1.value;
            }
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<Topology>): Topology {
    return Topology.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<Topology>): Topology {
    const message = createBaseTopology();
    message.segments = (globalThis.Object.entries(object.segments ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    return message;
  },
};

function createBaseTopology_SegmentsEntry(): Topology_SegmentsEntry {
  return { key: "", value: "" };
}

export const Topology_SegmentsEntry: MessageFns<Topology_SegmentsEntry> = {
  encode(message: Topology_SegmentsEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): Topology_SegmentsEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseTopology_SegmentsEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<Topology_SegmentsEntry>): Topology_SegmentsEntry {
    return Topology_SegmentsEntry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<Topology_SegmentsEntry>): Topology_SegmentsEntry {
    const message = createBaseTopology_SegmentsEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseDeleteVolumeRequest(): DeleteVolumeRequest {
  return { volumeId: "", secrets: {} };
}

export const DeleteVolumeRequest: MessageFns<DeleteVolumeRequest> = {
  encode(message: DeleteVolumeRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.volumeId !== "") {
      writer.uint32(10).string(message.volumeId);
    }
    globalThis.Object.entries(message.secrets).forEach(([key, value]: [string, string]) => {
      DeleteVolumeRequest_SecretsEntry.encode({ key: key as any, value }, writer.uint32(18).fork()).join();
    });
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): DeleteVolumeRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseDeleteVolumeRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.volumeId = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            const entry2 = DeleteVolumeRequest_SecretsEntry.decode(reader, reader.uint32());
            if (entry2.value !== undefined) {
              message.secrets[entry2.key] = entry2.value;
            }
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<DeleteVolumeRequest>): DeleteVolumeRequest {
    return DeleteVolumeRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<DeleteVolumeRequest>): DeleteVolumeRequest {
    const message = createBaseDeleteVolumeRequest();
    message.volumeId = object.volumeId ?? "";
    message.secrets = (globalThis.Object.entries(object.secrets ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    return message;
  },
};

function createBaseDeleteVolumeRequest_SecretsEntry(): DeleteVolumeRequest_SecretsEntry {
  return { key: "", value: "" };
}

export const DeleteVolumeRequest_SecretsEntry: MessageFns<DeleteVolumeRequest_SecretsEntry> = {
  encode(message: DeleteVolumeRequest_SecretsEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): DeleteVolumeRequest_SecretsEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseDeleteVolumeRequest_SecretsEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<DeleteVolumeRequest_SecretsEntry>): DeleteVolumeRequest_SecretsEntry {
    return DeleteVolumeRequest_SecretsEntry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<DeleteVolumeRequest_SecretsEntry>): DeleteVolumeRequest_SecretsEntry {
    const message = createBaseDeleteVolumeRequest_SecretsEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseDeleteVolumeResponse(): DeleteVolumeResponse {
  return {};
}

export const DeleteVolumeResponse: MessageFns<DeleteVolumeResponse> = {
  encode(_: DeleteVolumeResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): DeleteVolumeResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseDeleteVolumeResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<DeleteVolumeResponse>): DeleteVolumeResponse {
    return DeleteVolumeResponse.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<DeleteVolumeResponse>): DeleteVolumeResponse {
    const message = createBaseDeleteVolumeResponse();
    return message;
  },
};

function createBaseControllerPublishVolumeRequest(): ControllerPublishVolumeRequest {
  return { volumeId: "", nodeId: "", volumeCapability: undefined, readonly: false, secrets: {}, volumeContext: {} };
}

export const ControllerPublishVolumeRequest: MessageFns<ControllerPublishVolumeRequest> = {
  encode(message: ControllerPublishVolumeRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.volumeId !== "") {
      writer.uint32(10).string(message.volumeId);
    }
    if (message.nodeId !== "") {
      writer.uint32(18).string(message.nodeId);
    }
    if (message.volumeCapability !== undefined) {
      VolumeCapability.encode(message.volumeCapability, writer.uint32(26).fork()).join();
    }
    if (message.readonly !== false) {
      writer.uint32(32).bool(message.readonly);
    }
    globalThis.Object.entries(message.secrets).forEach(([key, value]: [string, string]) => {
      ControllerPublishVolumeRequest_SecretsEntry.encode({ key: key as any, value }, writer.uint32(42).fork()).join();
    });
    globalThis.Object.entries(message.volumeContext).forEach(([key, value]: [string, string]) => {
      ControllerPublishVolumeRequest_VolumeContextEntry.encode({ key: key as any, value }, writer.uint32(50).fork())
        .join();
    });
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ControllerPublishVolumeRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseControllerPublishVolumeRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.volumeId = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.nodeId = reader.string();
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.volumeCapability = VolumeCapability.decode(reader, reader.uint32());
            continue;
          }
          case 4: {
            if (tag !== 32) {
              break;
            }

            message.readonly = reader.bool();
            continue;
          }
          case 5: {
            if (tag !== 42) {
              break;
            }

            const entry5 = ControllerPublishVolumeRequest_SecretsEntry.decode(reader, reader.uint32());
            if (entry5.value !== undefined) {
              message.secrets[entry5.key] = entry5.value;
            }
            continue;
          }
          case 6: {
            if (tag !== 50) {
              break;
            }

            const entry6 = ControllerPublishVolumeRequest_VolumeContextEntry.decode(reader, reader.uint32());
            if (entry6.value !== undefined) {
              message.volumeContext[entry6.key] = entry6.value;
            }
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ControllerPublishVolumeRequest>): ControllerPublishVolumeRequest {
    return ControllerPublishVolumeRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ControllerPublishVolumeRequest>): ControllerPublishVolumeRequest {
    const message = createBaseControllerPublishVolumeRequest();
    message.volumeId = object.volumeId ?? "";
    message.nodeId = object.nodeId ?? "";
    message.volumeCapability = (object.volumeCapability !== undefined && object.volumeCapability !== null)
      ? VolumeCapability.fromPartial(object.volumeCapability)
      : undefined;
    message.readonly = object.readonly ?? false;
    message.secrets = (globalThis.Object.entries(object.secrets ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    message.volumeContext = (globalThis.Object.entries(object.volumeContext ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    return message;
  },
};

function createBaseControllerPublishVolumeRequest_SecretsEntry(): ControllerPublishVolumeRequest_SecretsEntry {
  return { key: "", value: "" };
}

export const ControllerPublishVolumeRequest_SecretsEntry: MessageFns<ControllerPublishVolumeRequest_SecretsEntry> = {
  encode(
    message: ControllerPublishVolumeRequest_SecretsEntry,
    writer: BinaryWriter = new BinaryWriter(),
  ): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ControllerPublishVolumeRequest_SecretsEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseControllerPublishVolumeRequest_SecretsEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ControllerPublishVolumeRequest_SecretsEntry>): ControllerPublishVolumeRequest_SecretsEntry {
    return ControllerPublishVolumeRequest_SecretsEntry.fromPartial(base ?? {});
  },
  fromPartial(
    object: DeepPartial<ControllerPublishVolumeRequest_SecretsEntry>,
  ): ControllerPublishVolumeRequest_SecretsEntry {
    const message = createBaseControllerPublishVolumeRequest_SecretsEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseControllerPublishVolumeRequest_VolumeContextEntry(): ControllerPublishVolumeRequest_VolumeContextEntry {
  return { key: "", value: "" };
}

export const ControllerPublishVolumeRequest_VolumeContextEntry: MessageFns<
  ControllerPublishVolumeRequest_VolumeContextEntry
> = {
  encode(
    message: ControllerPublishVolumeRequest_VolumeContextEntry,
    writer: BinaryWriter = new BinaryWriter(),
  ): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ControllerPublishVolumeRequest_VolumeContextEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseControllerPublishVolumeRequest_VolumeContextEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(
    base?: DeepPartial<ControllerPublishVolumeRequest_VolumeContextEntry>,
  ): ControllerPublishVolumeRequest_VolumeContextEntry {
    return ControllerPublishVolumeRequest_VolumeContextEntry.fromPartial(base ?? {});
  },
  fromPartial(
    object: DeepPartial<ControllerPublishVolumeRequest_VolumeContextEntry>,
  ): ControllerPublishVolumeRequest_VolumeContextEntry {
    const message = createBaseControllerPublishVolumeRequest_VolumeContextEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseControllerPublishVolumeResponse(): ControllerPublishVolumeResponse {
  return { publishContext: {} };
}

export const ControllerPublishVolumeResponse: MessageFns<ControllerPublishVolumeResponse> = {
  encode(message: ControllerPublishVolumeResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    globalThis.Object.entries(message.publishContext).forEach(([key, value]: [string, string]) => {
      ControllerPublishVolumeResponse_PublishContextEntry.encode({ key: key as any, value }, writer.uint32(10).fork())
        .join();
    });
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ControllerPublishVolumeResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseControllerPublishVolumeResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            const entry1 = ControllerPublishVolumeResponse_PublishContextEntry.decode(reader, reader.uint32());
            if (entry1.value !== undefined) {
              message.publishContext[entry1.key] = entry1.value;
            }
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ControllerPublishVolumeResponse>): ControllerPublishVolumeResponse {
    return ControllerPublishVolumeResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ControllerPublishVolumeResponse>): ControllerPublishVolumeResponse {
    const message = createBaseControllerPublishVolumeResponse();
    message.publishContext = (globalThis.Object.entries(object.publishContext ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    return message;
  },
};

function createBaseControllerPublishVolumeResponse_PublishContextEntry(): ControllerPublishVolumeResponse_PublishContextEntry {
  return { key: "", value: "" };
}

export const ControllerPublishVolumeResponse_PublishContextEntry: MessageFns<
  ControllerPublishVolumeResponse_PublishContextEntry
> = {
  encode(
    message: ControllerPublishVolumeResponse_PublishContextEntry,
    writer: BinaryWriter = new BinaryWriter(),
  ): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ControllerPublishVolumeResponse_PublishContextEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseControllerPublishVolumeResponse_PublishContextEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(
    base?: DeepPartial<ControllerPublishVolumeResponse_PublishContextEntry>,
  ): ControllerPublishVolumeResponse_PublishContextEntry {
    return ControllerPublishVolumeResponse_PublishContextEntry.fromPartial(base ?? {});
  },
  fromPartial(
    object: DeepPartial<ControllerPublishVolumeResponse_PublishContextEntry>,
  ): ControllerPublishVolumeResponse_PublishContextEntry {
    const message = createBaseControllerPublishVolumeResponse_PublishContextEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseControllerUnpublishVolumeRequest(): ControllerUnpublishVolumeRequest {
  return { volumeId: "", nodeId: "", secrets: {} };
}

export const ControllerUnpublishVolumeRequest: MessageFns<ControllerUnpublishVolumeRequest> = {
  encode(message: ControllerUnpublishVolumeRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.volumeId !== "") {
      writer.uint32(10).string(message.volumeId);
    }
    if (message.nodeId !== "") {
      writer.uint32(18).string(message.nodeId);
    }
    globalThis.Object.entries(message.secrets).forEach(([key, value]: [string, string]) => {
      ControllerUnpublishVolumeRequest_SecretsEntry.encode({ key: key as any, value }, writer.uint32(26).fork()).join();
    });
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ControllerUnpublishVolumeRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseControllerUnpublishVolumeRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.volumeId = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.nodeId = reader.string();
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            const entry3 = ControllerUnpublishVolumeRequest_SecretsEntry.decode(reader, reader.uint32());
            if (entry3.value !== undefined) {
              message.secrets[entry3.key] = entry3.value;
            }
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ControllerUnpublishVolumeRequest>): ControllerUnpublishVolumeRequest {
    return ControllerUnpublishVolumeRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ControllerUnpublishVolumeRequest>): ControllerUnpublishVolumeRequest {
    const message = createBaseControllerUnpublishVolumeRequest();
    message.volumeId = object.volumeId ?? "";
    message.nodeId = object.nodeId ?? "";
    message.secrets = (globalThis.Object.entries(object.secrets ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    return message;
  },
};

function createBaseControllerUnpublishVolumeRequest_SecretsEntry(): ControllerUnpublishVolumeRequest_SecretsEntry {
  return { key: "", value: "" };
}

export const ControllerUnpublishVolumeRequest_SecretsEntry: MessageFns<ControllerUnpublishVolumeRequest_SecretsEntry> =
  {
    encode(
      message: ControllerUnpublishVolumeRequest_SecretsEntry,
      writer: BinaryWriter = new BinaryWriter(),
    ): BinaryWriter {
      if (message.key !== "") {
        writer.uint32(10).string(message.key);
      }
      if (message.value !== "") {
        writer.uint32(18).string(message.value);
      }
      return writer;
    },

    decode(input: BinaryReader | Uint8Array, length?: number): ControllerUnpublishVolumeRequest_SecretsEntry {
      const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
      const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
      if (previousRecursionDepth >= 100) {
        throw new globalThis.Error("protobuf decode recursion limit exceeded");
      }
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
      try {
        const end = length === undefined ? reader.len : reader.pos + length;
        const message = createBaseControllerUnpublishVolumeRequest_SecretsEntry();
        while (reader.pos < end) {
          const tag = reader.uint32();
          switch (tag >>> 3) {
            case 1: {
              if (tag !== 10) {
                break;
              }

              message.key = reader.string();
              continue;
            }
            case 2: {
              if (tag !== 18) {
                break;
              }

              message.value = reader.string();
              continue;
            }
          }
          if ((tag & 7) === 4 || tag === 0) {
            break;
          }
          reader.skip(tag & 7);
        }
        return message;
      } finally {
        (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
      }
    },

    create(
      base?: DeepPartial<ControllerUnpublishVolumeRequest_SecretsEntry>,
    ): ControllerUnpublishVolumeRequest_SecretsEntry {
      return ControllerUnpublishVolumeRequest_SecretsEntry.fromPartial(base ?? {});
    },
    fromPartial(
      object: DeepPartial<ControllerUnpublishVolumeRequest_SecretsEntry>,
    ): ControllerUnpublishVolumeRequest_SecretsEntry {
      const message = createBaseControllerUnpublishVolumeRequest_SecretsEntry();
      message.key = object.key ?? "";
      message.value = object.value ?? "";
      return message;
    },
  };

function createBaseControllerUnpublishVolumeResponse(): ControllerUnpublishVolumeResponse {
  return {};
}

export const ControllerUnpublishVolumeResponse: MessageFns<ControllerUnpublishVolumeResponse> = {
  encode(_: ControllerUnpublishVolumeResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ControllerUnpublishVolumeResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseControllerUnpublishVolumeResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ControllerUnpublishVolumeResponse>): ControllerUnpublishVolumeResponse {
    return ControllerUnpublishVolumeResponse.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<ControllerUnpublishVolumeResponse>): ControllerUnpublishVolumeResponse {
    const message = createBaseControllerUnpublishVolumeResponse();
    return message;
  },
};

function createBaseValidateVolumeCapabilitiesRequest(): ValidateVolumeCapabilitiesRequest {
  return {
    volumeId: "",
    volumeContext: {},
    volumeCapabilities: [],
    parameters: {},
    secrets: {},
    mutableParameters: {},
  };
}

export const ValidateVolumeCapabilitiesRequest: MessageFns<ValidateVolumeCapabilitiesRequest> = {
  encode(message: ValidateVolumeCapabilitiesRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.volumeId !== "") {
      writer.uint32(10).string(message.volumeId);
    }
    globalThis.Object.entries(message.volumeContext).forEach(([key, value]: [string, string]) => {
      ValidateVolumeCapabilitiesRequest_VolumeContextEntry.encode({ key: key as any, value }, writer.uint32(18).fork())
        .join();
    });
    for (const v of message.volumeCapabilities) {
      VolumeCapability.encode(v!, writer.uint32(26).fork()).join();
    }
    globalThis.Object.entries(message.parameters).forEach(([key, value]: [string, string]) => {
      ValidateVolumeCapabilitiesRequest_ParametersEntry.encode({ key: key as any, value }, writer.uint32(34).fork())
        .join();
    });
    globalThis.Object.entries(message.secrets).forEach(([key, value]: [string, string]) => {
      ValidateVolumeCapabilitiesRequest_SecretsEntry.encode({ key: key as any, value }, writer.uint32(42).fork())
        .join();
    });
    globalThis.Object.entries(message.mutableParameters).forEach(([key, value]: [string, string]) => {
      ValidateVolumeCapabilitiesRequest_MutableParametersEntry.encode(
        { key: key as any, value },
        writer.uint32(50).fork(),
      ).join();
    });
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ValidateVolumeCapabilitiesRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseValidateVolumeCapabilitiesRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.volumeId = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            const entry2 = ValidateVolumeCapabilitiesRequest_VolumeContextEntry.decode(reader, reader.uint32());
            if (entry2.value !== undefined) {
              message.volumeContext[entry2.key] = entry2.value;
            }
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.volumeCapabilities.push(VolumeCapability.decode(reader, reader.uint32()));
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            const entry4 = ValidateVolumeCapabilitiesRequest_ParametersEntry.decode(reader, reader.uint32());
            if (entry4.value !== undefined) {
              message.parameters[entry4.key] = entry4.value;
            }
            continue;
          }
          case 5: {
            if (tag !== 42) {
              break;
            }

            const entry5 = ValidateVolumeCapabilitiesRequest_SecretsEntry.decode(reader, reader.uint32());
            if (entry5.value !== undefined) {
              message.secrets[entry5.key] = entry5.value;
            }
            continue;
          }
          case 6: {
            if (tag !== 50) {
              break;
            }

            const entry6 = ValidateVolumeCapabilitiesRequest_MutableParametersEntry.decode(reader, reader.uint32());
            if (entry6.value !== undefined) {
              message.mutableParameters[entry6.key] = entry6.value;
            }
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ValidateVolumeCapabilitiesRequest>): ValidateVolumeCapabilitiesRequest {
    return ValidateVolumeCapabilitiesRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ValidateVolumeCapabilitiesRequest>): ValidateVolumeCapabilitiesRequest {
    const message = createBaseValidateVolumeCapabilitiesRequest();
    message.volumeId = object.volumeId ?? "";
    message.volumeContext = (globalThis.Object.entries(object.volumeContext ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    message.volumeCapabilities = object.volumeCapabilities?.map((e) => VolumeCapability.fromPartial(e)) || [];
    message.parameters = (globalThis.Object.entries(object.parameters ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    message.secrets = (globalThis.Object.entries(object.secrets ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    message.mutableParameters = (globalThis.Object.entries(object.mutableParameters ?? {}) as [string, string][])
      .reduce((acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      }, {});
    return message;
  },
};

function createBaseValidateVolumeCapabilitiesRequest_VolumeContextEntry(): ValidateVolumeCapabilitiesRequest_VolumeContextEntry {
  return { key: "", value: "" };
}

export const ValidateVolumeCapabilitiesRequest_VolumeContextEntry: MessageFns<
  ValidateVolumeCapabilitiesRequest_VolumeContextEntry
> = {
  encode(
    message: ValidateVolumeCapabilitiesRequest_VolumeContextEntry,
    writer: BinaryWriter = new BinaryWriter(),
  ): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ValidateVolumeCapabilitiesRequest_VolumeContextEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseValidateVolumeCapabilitiesRequest_VolumeContextEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(
    base?: DeepPartial<ValidateVolumeCapabilitiesRequest_VolumeContextEntry>,
  ): ValidateVolumeCapabilitiesRequest_VolumeContextEntry {
    return ValidateVolumeCapabilitiesRequest_VolumeContextEntry.fromPartial(base ?? {});
  },
  fromPartial(
    object: DeepPartial<ValidateVolumeCapabilitiesRequest_VolumeContextEntry>,
  ): ValidateVolumeCapabilitiesRequest_VolumeContextEntry {
    const message = createBaseValidateVolumeCapabilitiesRequest_VolumeContextEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseValidateVolumeCapabilitiesRequest_ParametersEntry(): ValidateVolumeCapabilitiesRequest_ParametersEntry {
  return { key: "", value: "" };
}

export const ValidateVolumeCapabilitiesRequest_ParametersEntry: MessageFns<
  ValidateVolumeCapabilitiesRequest_ParametersEntry
> = {
  encode(
    message: ValidateVolumeCapabilitiesRequest_ParametersEntry,
    writer: BinaryWriter = new BinaryWriter(),
  ): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ValidateVolumeCapabilitiesRequest_ParametersEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseValidateVolumeCapabilitiesRequest_ParametersEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(
    base?: DeepPartial<ValidateVolumeCapabilitiesRequest_ParametersEntry>,
  ): ValidateVolumeCapabilitiesRequest_ParametersEntry {
    return ValidateVolumeCapabilitiesRequest_ParametersEntry.fromPartial(base ?? {});
  },
  fromPartial(
    object: DeepPartial<ValidateVolumeCapabilitiesRequest_ParametersEntry>,
  ): ValidateVolumeCapabilitiesRequest_ParametersEntry {
    const message = createBaseValidateVolumeCapabilitiesRequest_ParametersEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseValidateVolumeCapabilitiesRequest_SecretsEntry(): ValidateVolumeCapabilitiesRequest_SecretsEntry {
  return { key: "", value: "" };
}

export const ValidateVolumeCapabilitiesRequest_SecretsEntry: MessageFns<
  ValidateVolumeCapabilitiesRequest_SecretsEntry
> = {
  encode(
    message: ValidateVolumeCapabilitiesRequest_SecretsEntry,
    writer: BinaryWriter = new BinaryWriter(),
  ): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ValidateVolumeCapabilitiesRequest_SecretsEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseValidateVolumeCapabilitiesRequest_SecretsEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(
    base?: DeepPartial<ValidateVolumeCapabilitiesRequest_SecretsEntry>,
  ): ValidateVolumeCapabilitiesRequest_SecretsEntry {
    return ValidateVolumeCapabilitiesRequest_SecretsEntry.fromPartial(base ?? {});
  },
  fromPartial(
    object: DeepPartial<ValidateVolumeCapabilitiesRequest_SecretsEntry>,
  ): ValidateVolumeCapabilitiesRequest_SecretsEntry {
    const message = createBaseValidateVolumeCapabilitiesRequest_SecretsEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseValidateVolumeCapabilitiesRequest_MutableParametersEntry(): ValidateVolumeCapabilitiesRequest_MutableParametersEntry {
  return { key: "", value: "" };
}

export const ValidateVolumeCapabilitiesRequest_MutableParametersEntry: MessageFns<
  ValidateVolumeCapabilitiesRequest_MutableParametersEntry
> = {
  encode(
    message: ValidateVolumeCapabilitiesRequest_MutableParametersEntry,
    writer: BinaryWriter = new BinaryWriter(),
  ): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ValidateVolumeCapabilitiesRequest_MutableParametersEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseValidateVolumeCapabilitiesRequest_MutableParametersEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(
    base?: DeepPartial<ValidateVolumeCapabilitiesRequest_MutableParametersEntry>,
  ): ValidateVolumeCapabilitiesRequest_MutableParametersEntry {
    return ValidateVolumeCapabilitiesRequest_MutableParametersEntry.fromPartial(base ?? {});
  },
  fromPartial(
    object: DeepPartial<ValidateVolumeCapabilitiesRequest_MutableParametersEntry>,
  ): ValidateVolumeCapabilitiesRequest_MutableParametersEntry {
    const message = createBaseValidateVolumeCapabilitiesRequest_MutableParametersEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseValidateVolumeCapabilitiesResponse(): ValidateVolumeCapabilitiesResponse {
  return { confirmed: undefined, message: "" };
}

export const ValidateVolumeCapabilitiesResponse: MessageFns<ValidateVolumeCapabilitiesResponse> = {
  encode(message: ValidateVolumeCapabilitiesResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.confirmed !== undefined) {
      ValidateVolumeCapabilitiesResponse_Confirmed.encode(message.confirmed, writer.uint32(10).fork()).join();
    }
    if (message.message !== "") {
      writer.uint32(18).string(message.message);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ValidateVolumeCapabilitiesResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseValidateVolumeCapabilitiesResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.confirmed = ValidateVolumeCapabilitiesResponse_Confirmed.decode(reader, reader.uint32());
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.message = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ValidateVolumeCapabilitiesResponse>): ValidateVolumeCapabilitiesResponse {
    return ValidateVolumeCapabilitiesResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ValidateVolumeCapabilitiesResponse>): ValidateVolumeCapabilitiesResponse {
    const message = createBaseValidateVolumeCapabilitiesResponse();
    message.confirmed = (object.confirmed !== undefined && object.confirmed !== null)
      ? ValidateVolumeCapabilitiesResponse_Confirmed.fromPartial(object.confirmed)
      : undefined;
    message.message = object.message ?? "";
    return message;
  },
};

function createBaseValidateVolumeCapabilitiesResponse_Confirmed(): ValidateVolumeCapabilitiesResponse_Confirmed {
  return { volumeContext: {}, volumeCapabilities: [], parameters: {}, mutableParameters: {} };
}

export const ValidateVolumeCapabilitiesResponse_Confirmed: MessageFns<ValidateVolumeCapabilitiesResponse_Confirmed> = {
  encode(
    message: ValidateVolumeCapabilitiesResponse_Confirmed,
    writer: BinaryWriter = new BinaryWriter(),
  ): BinaryWriter {
    globalThis.Object.entries(message.volumeContext).forEach(([key, value]: [string, string]) => {
      ValidateVolumeCapabilitiesResponse_Confirmed_VolumeContextEntry.encode(
        { key: key as any, value },
        writer.uint32(10).fork(),
      ).join();
    });
    for (const v of message.volumeCapabilities) {
      VolumeCapability.encode(v!, writer.uint32(18).fork()).join();
    }
    globalThis.Object.entries(message.parameters).forEach(([key, value]: [string, string]) => {
      ValidateVolumeCapabilitiesResponse_Confirmed_ParametersEntry.encode(
        { key: key as any, value },
        writer.uint32(26).fork(),
      ).join();
    });
    globalThis.Object.entries(message.mutableParameters).forEach(([key, value]: [string, string]) => {
      ValidateVolumeCapabilitiesResponse_Confirmed_MutableParametersEntry.encode(
        { key: key as any, value },
        writer.uint32(34).fork(),
      ).join();
    });
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ValidateVolumeCapabilitiesResponse_Confirmed {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseValidateVolumeCapabilitiesResponse_Confirmed();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            const entry1 = ValidateVolumeCapabilitiesResponse_Confirmed_VolumeContextEntry.decode(
              reader,
              reader.uint32(),
            );
            if (entry1.value !== undefined) {
              message.volumeContext[entry1.key] = entry1.value;
            }
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.volumeCapabilities.push(VolumeCapability.decode(reader, reader.uint32()));
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            const entry3 = ValidateVolumeCapabilitiesResponse_Confirmed_ParametersEntry.decode(reader, reader.uint32());
            if (entry3.value !== undefined) {
              message.parameters[entry3.key] = entry3.value;
            }
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            const entry4 = ValidateVolumeCapabilitiesResponse_Confirmed_MutableParametersEntry.decode(
              reader,
              reader.uint32(),
            );
            if (entry4.value !== undefined) {
              message.mutableParameters[entry4.key] = entry4.value;
            }
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(
    base?: DeepPartial<ValidateVolumeCapabilitiesResponse_Confirmed>,
  ): ValidateVolumeCapabilitiesResponse_Confirmed {
    return ValidateVolumeCapabilitiesResponse_Confirmed.fromPartial(base ?? {});
  },
  fromPartial(
    object: DeepPartial<ValidateVolumeCapabilitiesResponse_Confirmed>,
  ): ValidateVolumeCapabilitiesResponse_Confirmed {
    const message = createBaseValidateVolumeCapabilitiesResponse_Confirmed();
    message.volumeContext = (globalThis.Object.entries(object.volumeContext ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    message.volumeCapabilities = object.volumeCapabilities?.map((e) => VolumeCapability.fromPartial(e)) || [];
    message.parameters = (globalThis.Object.entries(object.parameters ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    message.mutableParameters = (globalThis.Object.entries(object.mutableParameters ?? {}) as [string, string][])
      .reduce((acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      }, {});
    return message;
  },
};

function createBaseValidateVolumeCapabilitiesResponse_Confirmed_VolumeContextEntry(): ValidateVolumeCapabilitiesResponse_Confirmed_VolumeContextEntry {
  return { key: "", value: "" };
}

export const ValidateVolumeCapabilitiesResponse_Confirmed_VolumeContextEntry: MessageFns<
  ValidateVolumeCapabilitiesResponse_Confirmed_VolumeContextEntry
> = {
  encode(
    message: ValidateVolumeCapabilitiesResponse_Confirmed_VolumeContextEntry,
    writer: BinaryWriter = new BinaryWriter(),
  ): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(
    input: BinaryReader | Uint8Array,
    length?: number,
  ): ValidateVolumeCapabilitiesResponse_Confirmed_VolumeContextEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseValidateVolumeCapabilitiesResponse_Confirmed_VolumeContextEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(
    base?: DeepPartial<ValidateVolumeCapabilitiesResponse_Confirmed_VolumeContextEntry>,
  ): ValidateVolumeCapabilitiesResponse_Confirmed_VolumeContextEntry {
    return ValidateVolumeCapabilitiesResponse_Confirmed_VolumeContextEntry.fromPartial(base ?? {});
  },
  fromPartial(
    object: DeepPartial<ValidateVolumeCapabilitiesResponse_Confirmed_VolumeContextEntry>,
  ): ValidateVolumeCapabilitiesResponse_Confirmed_VolumeContextEntry {
    const message = createBaseValidateVolumeCapabilitiesResponse_Confirmed_VolumeContextEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseValidateVolumeCapabilitiesResponse_Confirmed_ParametersEntry(): ValidateVolumeCapabilitiesResponse_Confirmed_ParametersEntry {
  return { key: "", value: "" };
}

export const ValidateVolumeCapabilitiesResponse_Confirmed_ParametersEntry: MessageFns<
  ValidateVolumeCapabilitiesResponse_Confirmed_ParametersEntry
> = {
  encode(
    message: ValidateVolumeCapabilitiesResponse_Confirmed_ParametersEntry,
    writer: BinaryWriter = new BinaryWriter(),
  ): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(
    input: BinaryReader | Uint8Array,
    length?: number,
  ): ValidateVolumeCapabilitiesResponse_Confirmed_ParametersEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseValidateVolumeCapabilitiesResponse_Confirmed_ParametersEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(
    base?: DeepPartial<ValidateVolumeCapabilitiesResponse_Confirmed_ParametersEntry>,
  ): ValidateVolumeCapabilitiesResponse_Confirmed_ParametersEntry {
    return ValidateVolumeCapabilitiesResponse_Confirmed_ParametersEntry.fromPartial(base ?? {});
  },
  fromPartial(
    object: DeepPartial<ValidateVolumeCapabilitiesResponse_Confirmed_ParametersEntry>,
  ): ValidateVolumeCapabilitiesResponse_Confirmed_ParametersEntry {
    const message = createBaseValidateVolumeCapabilitiesResponse_Confirmed_ParametersEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseValidateVolumeCapabilitiesResponse_Confirmed_MutableParametersEntry(): ValidateVolumeCapabilitiesResponse_Confirmed_MutableParametersEntry {
  return { key: "", value: "" };
}

export const ValidateVolumeCapabilitiesResponse_Confirmed_MutableParametersEntry: MessageFns<
  ValidateVolumeCapabilitiesResponse_Confirmed_MutableParametersEntry
> = {
  encode(
    message: ValidateVolumeCapabilitiesResponse_Confirmed_MutableParametersEntry,
    writer: BinaryWriter = new BinaryWriter(),
  ): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(
    input: BinaryReader | Uint8Array,
    length?: number,
  ): ValidateVolumeCapabilitiesResponse_Confirmed_MutableParametersEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseValidateVolumeCapabilitiesResponse_Confirmed_MutableParametersEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(
    base?: DeepPartial<ValidateVolumeCapabilitiesResponse_Confirmed_MutableParametersEntry>,
  ): ValidateVolumeCapabilitiesResponse_Confirmed_MutableParametersEntry {
    return ValidateVolumeCapabilitiesResponse_Confirmed_MutableParametersEntry.fromPartial(base ?? {});
  },
  fromPartial(
    object: DeepPartial<ValidateVolumeCapabilitiesResponse_Confirmed_MutableParametersEntry>,
  ): ValidateVolumeCapabilitiesResponse_Confirmed_MutableParametersEntry {
    const message = createBaseValidateVolumeCapabilitiesResponse_Confirmed_MutableParametersEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseListVolumesRequest(): ListVolumesRequest {
  return { maxEntries: 0, startingToken: "" };
}

export const ListVolumesRequest: MessageFns<ListVolumesRequest> = {
  encode(message: ListVolumesRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.maxEntries !== 0) {
      writer.uint32(8).int32(message.maxEntries);
    }
    if (message.startingToken !== "") {
      writer.uint32(18).string(message.startingToken);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ListVolumesRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseListVolumesRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.maxEntries = reader.int32();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.startingToken = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ListVolumesRequest>): ListVolumesRequest {
    return ListVolumesRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ListVolumesRequest>): ListVolumesRequest {
    const message = createBaseListVolumesRequest();
    message.maxEntries = object.maxEntries ?? 0;
    message.startingToken = object.startingToken ?? "";
    return message;
  },
};

function createBaseListVolumesResponse(): ListVolumesResponse {
  return { entries: [], nextToken: "" };
}

export const ListVolumesResponse: MessageFns<ListVolumesResponse> = {
  encode(message: ListVolumesResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.entries) {
      ListVolumesResponse_Entry.encode(v!, writer.uint32(10).fork()).join();
    }
    if (message.nextToken !== "") {
      writer.uint32(18).string(message.nextToken);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ListVolumesResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseListVolumesResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.entries.push(ListVolumesResponse_Entry.decode(reader, reader.uint32()));
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.nextToken = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ListVolumesResponse>): ListVolumesResponse {
    return ListVolumesResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ListVolumesResponse>): ListVolumesResponse {
    const message = createBaseListVolumesResponse();
    message.entries = object.entries?.map((e) => ListVolumesResponse_Entry.fromPartial(e)) || [];
    message.nextToken = object.nextToken ?? "";
    return message;
  },
};

function createBaseListVolumesResponse_VolumeStatus(): ListVolumesResponse_VolumeStatus {
  return { publishedNodeIds: [], volumeCondition: undefined };
}

export const ListVolumesResponse_VolumeStatus: MessageFns<ListVolumesResponse_VolumeStatus> = {
  encode(message: ListVolumesResponse_VolumeStatus, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.publishedNodeIds) {
      writer.uint32(10).string(v!);
    }
    if (message.volumeCondition !== undefined) {
      VolumeCondition.encode(message.volumeCondition, writer.uint32(18).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ListVolumesResponse_VolumeStatus {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseListVolumesResponse_VolumeStatus();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.publishedNodeIds.push(reader.string());
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.volumeCondition = VolumeCondition.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ListVolumesResponse_VolumeStatus>): ListVolumesResponse_VolumeStatus {
    return ListVolumesResponse_VolumeStatus.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ListVolumesResponse_VolumeStatus>): ListVolumesResponse_VolumeStatus {
    const message = createBaseListVolumesResponse_VolumeStatus();
    message.publishedNodeIds = object.publishedNodeIds?.map((e) => e) || [];
    message.volumeCondition = (object.volumeCondition !== undefined && object.volumeCondition !== null)
      ? VolumeCondition.fromPartial(object.volumeCondition)
      : undefined;
    return message;
  },
};

function createBaseListVolumesResponse_Entry(): ListVolumesResponse_Entry {
  return { volume: undefined, status: undefined };
}

export const ListVolumesResponse_Entry: MessageFns<ListVolumesResponse_Entry> = {
  encode(message: ListVolumesResponse_Entry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.volume !== undefined) {
      Volume.encode(message.volume, writer.uint32(10).fork()).join();
    }
    if (message.status !== undefined) {
      ListVolumesResponse_VolumeStatus.encode(message.status, writer.uint32(18).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ListVolumesResponse_Entry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseListVolumesResponse_Entry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.volume = Volume.decode(reader, reader.uint32());
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.status = ListVolumesResponse_VolumeStatus.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ListVolumesResponse_Entry>): ListVolumesResponse_Entry {
    return ListVolumesResponse_Entry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ListVolumesResponse_Entry>): ListVolumesResponse_Entry {
    const message = createBaseListVolumesResponse_Entry();
    message.volume = (object.volume !== undefined && object.volume !== null)
      ? Volume.fromPartial(object.volume)
      : undefined;
    message.status = (object.status !== undefined && object.status !== null)
      ? ListVolumesResponse_VolumeStatus.fromPartial(object.status)
      : undefined;
    return message;
  },
};

function createBaseControllerGetVolumeRequest(): ControllerGetVolumeRequest {
  return { volumeId: "" };
}

export const ControllerGetVolumeRequest: MessageFns<ControllerGetVolumeRequest> = {
  encode(message: ControllerGetVolumeRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.volumeId !== "") {
      writer.uint32(10).string(message.volumeId);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ControllerGetVolumeRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseControllerGetVolumeRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.volumeId = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ControllerGetVolumeRequest>): ControllerGetVolumeRequest {
    return ControllerGetVolumeRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ControllerGetVolumeRequest>): ControllerGetVolumeRequest {
    const message = createBaseControllerGetVolumeRequest();
    message.volumeId = object.volumeId ?? "";
    return message;
  },
};

function createBaseControllerGetVolumeResponse(): ControllerGetVolumeResponse {
  return { volume: undefined, status: undefined };
}

export const ControllerGetVolumeResponse: MessageFns<ControllerGetVolumeResponse> = {
  encode(message: ControllerGetVolumeResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.volume !== undefined) {
      Volume.encode(message.volume, writer.uint32(10).fork()).join();
    }
    if (message.status !== undefined) {
      ControllerGetVolumeResponse_VolumeStatus.encode(message.status, writer.uint32(18).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ControllerGetVolumeResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseControllerGetVolumeResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.volume = Volume.decode(reader, reader.uint32());
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.status = ControllerGetVolumeResponse_VolumeStatus.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ControllerGetVolumeResponse>): ControllerGetVolumeResponse {
    return ControllerGetVolumeResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ControllerGetVolumeResponse>): ControllerGetVolumeResponse {
    const message = createBaseControllerGetVolumeResponse();
    message.volume = (object.volume !== undefined && object.volume !== null)
      ? Volume.fromPartial(object.volume)
      : undefined;
    message.status = (object.status !== undefined && object.status !== null)
      ? ControllerGetVolumeResponse_VolumeStatus.fromPartial(object.status)
      : undefined;
    return message;
  },
};

function createBaseControllerGetVolumeResponse_VolumeStatus(): ControllerGetVolumeResponse_VolumeStatus {
  return { publishedNodeIds: [], volumeCondition: undefined };
}

export const ControllerGetVolumeResponse_VolumeStatus: MessageFns<ControllerGetVolumeResponse_VolumeStatus> = {
  encode(message: ControllerGetVolumeResponse_VolumeStatus, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.publishedNodeIds) {
      writer.uint32(10).string(v!);
    }
    if (message.volumeCondition !== undefined) {
      VolumeCondition.encode(message.volumeCondition, writer.uint32(18).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ControllerGetVolumeResponse_VolumeStatus {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseControllerGetVolumeResponse_VolumeStatus();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.publishedNodeIds.push(reader.string());
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.volumeCondition = VolumeCondition.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ControllerGetVolumeResponse_VolumeStatus>): ControllerGetVolumeResponse_VolumeStatus {
    return ControllerGetVolumeResponse_VolumeStatus.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ControllerGetVolumeResponse_VolumeStatus>): ControllerGetVolumeResponse_VolumeStatus {
    const message = createBaseControllerGetVolumeResponse_VolumeStatus();
    message.publishedNodeIds = object.publishedNodeIds?.map((e) => e) || [];
    message.volumeCondition = (object.volumeCondition !== undefined && object.volumeCondition !== null)
      ? VolumeCondition.fromPartial(object.volumeCondition)
      : undefined;
    return message;
  },
};

function createBaseControllerModifyVolumeRequest(): ControllerModifyVolumeRequest {
  return { volumeId: "", secrets: {}, mutableParameters: {} };
}

export const ControllerModifyVolumeRequest: MessageFns<ControllerModifyVolumeRequest> = {
  encode(message: ControllerModifyVolumeRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.volumeId !== "") {
      writer.uint32(10).string(message.volumeId);
    }
    globalThis.Object.entries(message.secrets).forEach(([key, value]: [string, string]) => {
      ControllerModifyVolumeRequest_SecretsEntry.encode({ key: key as any, value }, writer.uint32(18).fork()).join();
    });
    globalThis.Object.entries(message.mutableParameters).forEach(([key, value]: [string, string]) => {
      ControllerModifyVolumeRequest_MutableParametersEntry.encode({ key: key as any, value }, writer.uint32(26).fork())
        .join();
    });
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ControllerModifyVolumeRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseControllerModifyVolumeRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.volumeId = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            const entry2 = ControllerModifyVolumeRequest_SecretsEntry.decode(reader, reader.uint32());
            if (entry2.value !== undefined) {
              message.secrets[entry2.key] = entry2.value;
            }
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            const entry3 = ControllerModifyVolumeRequest_MutableParametersEntry.decode(reader, reader.uint32());
            if (entry3.value !== undefined) {
              message.mutableParameters[entry3.key] = entry3.value;
            }
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ControllerModifyVolumeRequest>): ControllerModifyVolumeRequest {
    return ControllerModifyVolumeRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ControllerModifyVolumeRequest>): ControllerModifyVolumeRequest {
    const message = createBaseControllerModifyVolumeRequest();
    message.volumeId = object.volumeId ?? "";
    message.secrets = (globalThis.Object.entries(object.secrets ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    message.mutableParameters = (globalThis.Object.entries(object.mutableParameters ?? {}) as [string, string][])
      .reduce((acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      }, {});
    return message;
  },
};

function createBaseControllerModifyVolumeRequest_SecretsEntry(): ControllerModifyVolumeRequest_SecretsEntry {
  return { key: "", value: "" };
}

export const ControllerModifyVolumeRequest_SecretsEntry: MessageFns<ControllerModifyVolumeRequest_SecretsEntry> = {
  encode(message: ControllerModifyVolumeRequest_SecretsEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ControllerModifyVolumeRequest_SecretsEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseControllerModifyVolumeRequest_SecretsEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ControllerModifyVolumeRequest_SecretsEntry>): ControllerModifyVolumeRequest_SecretsEntry {
    return ControllerModifyVolumeRequest_SecretsEntry.fromPartial(base ?? {});
  },
  fromPartial(
    object: DeepPartial<ControllerModifyVolumeRequest_SecretsEntry>,
  ): ControllerModifyVolumeRequest_SecretsEntry {
    const message = createBaseControllerModifyVolumeRequest_SecretsEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseControllerModifyVolumeRequest_MutableParametersEntry(): ControllerModifyVolumeRequest_MutableParametersEntry {
  return { key: "", value: "" };
}

export const ControllerModifyVolumeRequest_MutableParametersEntry: MessageFns<
  ControllerModifyVolumeRequest_MutableParametersEntry
> = {
  encode(
    message: ControllerModifyVolumeRequest_MutableParametersEntry,
    writer: BinaryWriter = new BinaryWriter(),
  ): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ControllerModifyVolumeRequest_MutableParametersEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseControllerModifyVolumeRequest_MutableParametersEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(
    base?: DeepPartial<ControllerModifyVolumeRequest_MutableParametersEntry>,
  ): ControllerModifyVolumeRequest_MutableParametersEntry {
    return ControllerModifyVolumeRequest_MutableParametersEntry.fromPartial(base ?? {});
  },
  fromPartial(
    object: DeepPartial<ControllerModifyVolumeRequest_MutableParametersEntry>,
  ): ControllerModifyVolumeRequest_MutableParametersEntry {
    const message = createBaseControllerModifyVolumeRequest_MutableParametersEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseControllerModifyVolumeResponse(): ControllerModifyVolumeResponse {
  return {};
}

export const ControllerModifyVolumeResponse: MessageFns<ControllerModifyVolumeResponse> = {
  encode(_: ControllerModifyVolumeResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ControllerModifyVolumeResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseControllerModifyVolumeResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ControllerModifyVolumeResponse>): ControllerModifyVolumeResponse {
    return ControllerModifyVolumeResponse.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<ControllerModifyVolumeResponse>): ControllerModifyVolumeResponse {
    const message = createBaseControllerModifyVolumeResponse();
    return message;
  },
};

function createBaseGetCapacityRequest(): GetCapacityRequest {
  return { volumeCapabilities: [], parameters: {}, accessibleTopology: undefined };
}

export const GetCapacityRequest: MessageFns<GetCapacityRequest> = {
  encode(message: GetCapacityRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.volumeCapabilities) {
      VolumeCapability.encode(v!, writer.uint32(10).fork()).join();
    }
    globalThis.Object.entries(message.parameters).forEach(([key, value]: [string, string]) => {
      GetCapacityRequest_ParametersEntry.encode({ key: key as any, value }, writer.uint32(18).fork()).join();
    });
    if (message.accessibleTopology !== undefined) {
      Topology.encode(message.accessibleTopology, writer.uint32(26).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): GetCapacityRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseGetCapacityRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.volumeCapabilities.push(VolumeCapability.decode(reader, reader.uint32()));
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            const entry2 = GetCapacityRequest_ParametersEntry.decode(reader, reader.uint32());
            if (entry2.value !== undefined) {
              message.parameters[entry2.key] = entry2.value;
            }
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.accessibleTopology = Topology.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<GetCapacityRequest>): GetCapacityRequest {
    return GetCapacityRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<GetCapacityRequest>): GetCapacityRequest {
    const message = createBaseGetCapacityRequest();
    message.volumeCapabilities = object.volumeCapabilities?.map((e) => VolumeCapability.fromPartial(e)) || [];
    message.parameters = (globalThis.Object.entries(object.parameters ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    message.accessibleTopology = (object.accessibleTopology !== undefined && object.accessibleTopology !== null)
      ? Topology.fromPartial(object.accessibleTopology)
      : undefined;
    return message;
  },
};

function createBaseGetCapacityRequest_ParametersEntry(): GetCapacityRequest_ParametersEntry {
  return { key: "", value: "" };
}

export const GetCapacityRequest_ParametersEntry: MessageFns<GetCapacityRequest_ParametersEntry> = {
  encode(message: GetCapacityRequest_ParametersEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): GetCapacityRequest_ParametersEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseGetCapacityRequest_ParametersEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<GetCapacityRequest_ParametersEntry>): GetCapacityRequest_ParametersEntry {
    return GetCapacityRequest_ParametersEntry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<GetCapacityRequest_ParametersEntry>): GetCapacityRequest_ParametersEntry {
    const message = createBaseGetCapacityRequest_ParametersEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseGetCapacityResponse(): GetCapacityResponse {
  return { availableCapacity: 0, maximumVolumeSize: undefined, minimumVolumeSize: undefined };
}

export const GetCapacityResponse: MessageFns<GetCapacityResponse> = {
  encode(message: GetCapacityResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.availableCapacity !== 0) {
      writer.uint32(8).int64(message.availableCapacity);
    }
    if (message.maximumVolumeSize !== undefined) {
      Int64Value.encode({ value: message.maximumVolumeSize! }, writer.uint32(18).fork()).join();
    }
    if (message.minimumVolumeSize !== undefined) {
      Int64Value.encode({ value: message.minimumVolumeSize! }, writer.uint32(26).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): GetCapacityResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseGetCapacityResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.availableCapacity = longToNumber(reader.int64());
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.maximumVolumeSize = Int64Value.decode(reader, reader.uint32()).value;
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.minimumVolumeSize = Int64Value.decode(reader, reader.uint32()).value;
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<GetCapacityResponse>): GetCapacityResponse {
    return GetCapacityResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<GetCapacityResponse>): GetCapacityResponse {
    const message = createBaseGetCapacityResponse();
    message.availableCapacity = object.availableCapacity ?? 0;
    message.maximumVolumeSize = object.maximumVolumeSize ?? undefined;
    message.minimumVolumeSize = object.minimumVolumeSize ?? undefined;
    return message;
  },
};

function createBaseControllerGetCapabilitiesRequest(): ControllerGetCapabilitiesRequest {
  return {};
}

export const ControllerGetCapabilitiesRequest: MessageFns<ControllerGetCapabilitiesRequest> = {
  encode(_: ControllerGetCapabilitiesRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ControllerGetCapabilitiesRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseControllerGetCapabilitiesRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ControllerGetCapabilitiesRequest>): ControllerGetCapabilitiesRequest {
    return ControllerGetCapabilitiesRequest.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<ControllerGetCapabilitiesRequest>): ControllerGetCapabilitiesRequest {
    const message = createBaseControllerGetCapabilitiesRequest();
    return message;
  },
};

function createBaseControllerGetCapabilitiesResponse(): ControllerGetCapabilitiesResponse {
  return { capabilities: [] };
}

export const ControllerGetCapabilitiesResponse: MessageFns<ControllerGetCapabilitiesResponse> = {
  encode(message: ControllerGetCapabilitiesResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.capabilities) {
      ControllerServiceCapability.encode(v!, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ControllerGetCapabilitiesResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseControllerGetCapabilitiesResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.capabilities.push(ControllerServiceCapability.decode(reader, reader.uint32()));
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ControllerGetCapabilitiesResponse>): ControllerGetCapabilitiesResponse {
    return ControllerGetCapabilitiesResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ControllerGetCapabilitiesResponse>): ControllerGetCapabilitiesResponse {
    const message = createBaseControllerGetCapabilitiesResponse();
    message.capabilities = object.capabilities?.map((e) => ControllerServiceCapability.fromPartial(e)) || [];
    return message;
  },
};

function createBaseControllerServiceCapability(): ControllerServiceCapability {
  return { rpc: undefined };
}

export const ControllerServiceCapability: MessageFns<ControllerServiceCapability> = {
  encode(message: ControllerServiceCapability, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.rpc !== undefined) {
      ControllerServiceCapability_RPC.encode(message.rpc, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ControllerServiceCapability {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseControllerServiceCapability();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.rpc = ControllerServiceCapability_RPC.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ControllerServiceCapability>): ControllerServiceCapability {
    return ControllerServiceCapability.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ControllerServiceCapability>): ControllerServiceCapability {
    const message = createBaseControllerServiceCapability();
    message.rpc = (object.rpc !== undefined && object.rpc !== null)
      ? ControllerServiceCapability_RPC.fromPartial(object.rpc)
      : undefined;
    return message;
  },
};

function createBaseControllerServiceCapability_RPC(): ControllerServiceCapability_RPC {
  return { type: 0 };
}

export const ControllerServiceCapability_RPC: MessageFns<ControllerServiceCapability_RPC> = {
  encode(message: ControllerServiceCapability_RPC, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.type !== 0) {
      writer.uint32(8).int32(message.type);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ControllerServiceCapability_RPC {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseControllerServiceCapability_RPC();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.type = reader.int32() as any;
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ControllerServiceCapability_RPC>): ControllerServiceCapability_RPC {
    return ControllerServiceCapability_RPC.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ControllerServiceCapability_RPC>): ControllerServiceCapability_RPC {
    const message = createBaseControllerServiceCapability_RPC();
    message.type = object.type ?? 0;
    return message;
  },
};

function createBaseCreateSnapshotRequest(): CreateSnapshotRequest {
  return { sourceVolumeId: "", name: "", secrets: {}, parameters: {} };
}

export const CreateSnapshotRequest: MessageFns<CreateSnapshotRequest> = {
  encode(message: CreateSnapshotRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.sourceVolumeId !== "") {
      writer.uint32(10).string(message.sourceVolumeId);
    }
    if (message.name !== "") {
      writer.uint32(18).string(message.name);
    }
    globalThis.Object.entries(message.secrets).forEach(([key, value]: [string, string]) => {
      CreateSnapshotRequest_SecretsEntry.encode({ key: key as any, value }, writer.uint32(26).fork()).join();
    });
    globalThis.Object.entries(message.parameters).forEach(([key, value]: [string, string]) => {
      CreateSnapshotRequest_ParametersEntry.encode({ key: key as any, value }, writer.uint32(34).fork()).join();
    });
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): CreateSnapshotRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseCreateSnapshotRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.sourceVolumeId = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.name = reader.string();
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            const entry3 = CreateSnapshotRequest_SecretsEntry.decode(reader, reader.uint32());
            if (entry3.value !== undefined) {
              message.secrets[entry3.key] = entry3.value;
            }
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            const entry4 = CreateSnapshotRequest_ParametersEntry.decode(reader, reader.uint32());
            if (entry4.value !== undefined) {
              message.parameters[entry4.key] = entry4.value;
            }
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<CreateSnapshotRequest>): CreateSnapshotRequest {
    return CreateSnapshotRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<CreateSnapshotRequest>): CreateSnapshotRequest {
    const message = createBaseCreateSnapshotRequest();
    message.sourceVolumeId = object.sourceVolumeId ?? "";
    message.name = object.name ?? "";
    message.secrets = (globalThis.Object.entries(object.secrets ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    message.parameters = (globalThis.Object.entries(object.parameters ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    return message;
  },
};

function createBaseCreateSnapshotRequest_SecretsEntry(): CreateSnapshotRequest_SecretsEntry {
  return { key: "", value: "" };
}

export const CreateSnapshotRequest_SecretsEntry: MessageFns<CreateSnapshotRequest_SecretsEntry> = {
  encode(message: CreateSnapshotRequest_SecretsEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): CreateSnapshotRequest_SecretsEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseCreateSnapshotRequest_SecretsEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<CreateSnapshotRequest_SecretsEntry>): CreateSnapshotRequest_SecretsEntry {
    return CreateSnapshotRequest_SecretsEntry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<CreateSnapshotRequest_SecretsEntry>): CreateSnapshotRequest_SecretsEntry {
    const message = createBaseCreateSnapshotRequest_SecretsEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseCreateSnapshotRequest_ParametersEntry(): CreateSnapshotRequest_ParametersEntry {
  return { key: "", value: "" };
}

export const CreateSnapshotRequest_ParametersEntry: MessageFns<CreateSnapshotRequest_ParametersEntry> = {
  encode(message: CreateSnapshotRequest_ParametersEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): CreateSnapshotRequest_ParametersEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseCreateSnapshotRequest_ParametersEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<CreateSnapshotRequest_ParametersEntry>): CreateSnapshotRequest_ParametersEntry {
    return CreateSnapshotRequest_ParametersEntry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<CreateSnapshotRequest_ParametersEntry>): CreateSnapshotRequest_ParametersEntry {
    const message = createBaseCreateSnapshotRequest_ParametersEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseCreateSnapshotResponse(): CreateSnapshotResponse {
  return { snapshot: undefined };
}

export const CreateSnapshotResponse: MessageFns<CreateSnapshotResponse> = {
  encode(message: CreateSnapshotResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.snapshot !== undefined) {
      Snapshot.encode(message.snapshot, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): CreateSnapshotResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseCreateSnapshotResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.snapshot = Snapshot.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<CreateSnapshotResponse>): CreateSnapshotResponse {
    return CreateSnapshotResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<CreateSnapshotResponse>): CreateSnapshotResponse {
    const message = createBaseCreateSnapshotResponse();
    message.snapshot = (object.snapshot !== undefined && object.snapshot !== null)
      ? Snapshot.fromPartial(object.snapshot)
      : undefined;
    return message;
  },
};

function createBaseSnapshot(): Snapshot {
  return {
    sizeBytes: 0,
    snapshotId: "",
    sourceVolumeId: "",
    creationTime: undefined,
    readyToUse: false,
    groupSnapshotId: "",
  };
}

export const Snapshot: MessageFns<Snapshot> = {
  encode(message: Snapshot, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.sizeBytes !== 0) {
      writer.uint32(8).int64(message.sizeBytes);
    }
    if (message.snapshotId !== "") {
      writer.uint32(18).string(message.snapshotId);
    }
    if (message.sourceVolumeId !== "") {
      writer.uint32(26).string(message.sourceVolumeId);
    }
    if (message.creationTime !== undefined) {
      Timestamp.encode(toTimestamp(message.creationTime), writer.uint32(34).fork()).join();
    }
    if (message.readyToUse !== false) {
      writer.uint32(40).bool(message.readyToUse);
    }
    if (message.groupSnapshotId !== "") {
      writer.uint32(50).string(message.groupSnapshotId);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): Snapshot {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseSnapshot();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.sizeBytes = longToNumber(reader.int64());
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.snapshotId = reader.string();
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.sourceVolumeId = reader.string();
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            message.creationTime = fromTimestamp(Timestamp.decode(reader, reader.uint32()));
            continue;
          }
          case 5: {
            if (tag !== 40) {
              break;
            }

            message.readyToUse = reader.bool();
            continue;
          }
          case 6: {
            if (tag !== 50) {
              break;
            }

            message.groupSnapshotId = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<Snapshot>): Snapshot {
    return Snapshot.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<Snapshot>): Snapshot {
    const message = createBaseSnapshot();
    message.sizeBytes = object.sizeBytes ?? 0;
    message.snapshotId = object.snapshotId ?? "";
    message.sourceVolumeId = object.sourceVolumeId ?? "";
    message.creationTime = object.creationTime ?? undefined;
    message.readyToUse = object.readyToUse ?? false;
    message.groupSnapshotId = object.groupSnapshotId ?? "";
    return message;
  },
};

function createBaseDeleteSnapshotRequest(): DeleteSnapshotRequest {
  return { snapshotId: "", secrets: {} };
}

export const DeleteSnapshotRequest: MessageFns<DeleteSnapshotRequest> = {
  encode(message: DeleteSnapshotRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.snapshotId !== "") {
      writer.uint32(10).string(message.snapshotId);
    }
    globalThis.Object.entries(message.secrets).forEach(([key, value]: [string, string]) => {
      DeleteSnapshotRequest_SecretsEntry.encode({ key: key as any, value }, writer.uint32(18).fork()).join();
    });
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): DeleteSnapshotRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseDeleteSnapshotRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.snapshotId = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            const entry2 = DeleteSnapshotRequest_SecretsEntry.decode(reader, reader.uint32());
            if (entry2.value !== undefined) {
              message.secrets[entry2.key] = entry2.value;
            }
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<DeleteSnapshotRequest>): DeleteSnapshotRequest {
    return DeleteSnapshotRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<DeleteSnapshotRequest>): DeleteSnapshotRequest {
    const message = createBaseDeleteSnapshotRequest();
    message.snapshotId = object.snapshotId ?? "";
    message.secrets = (globalThis.Object.entries(object.secrets ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    return message;
  },
};

function createBaseDeleteSnapshotRequest_SecretsEntry(): DeleteSnapshotRequest_SecretsEntry {
  return { key: "", value: "" };
}

export const DeleteSnapshotRequest_SecretsEntry: MessageFns<DeleteSnapshotRequest_SecretsEntry> = {
  encode(message: DeleteSnapshotRequest_SecretsEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): DeleteSnapshotRequest_SecretsEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseDeleteSnapshotRequest_SecretsEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<DeleteSnapshotRequest_SecretsEntry>): DeleteSnapshotRequest_SecretsEntry {
    return DeleteSnapshotRequest_SecretsEntry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<DeleteSnapshotRequest_SecretsEntry>): DeleteSnapshotRequest_SecretsEntry {
    const message = createBaseDeleteSnapshotRequest_SecretsEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseDeleteSnapshotResponse(): DeleteSnapshotResponse {
  return {};
}

export const DeleteSnapshotResponse: MessageFns<DeleteSnapshotResponse> = {
  encode(_: DeleteSnapshotResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): DeleteSnapshotResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseDeleteSnapshotResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<DeleteSnapshotResponse>): DeleteSnapshotResponse {
    return DeleteSnapshotResponse.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<DeleteSnapshotResponse>): DeleteSnapshotResponse {
    const message = createBaseDeleteSnapshotResponse();
    return message;
  },
};

function createBaseListSnapshotsRequest(): ListSnapshotsRequest {
  return { maxEntries: 0, startingToken: "", sourceVolumeId: "", snapshotId: "", secrets: {} };
}

export const ListSnapshotsRequest: MessageFns<ListSnapshotsRequest> = {
  encode(message: ListSnapshotsRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.maxEntries !== 0) {
      writer.uint32(8).int32(message.maxEntries);
    }
    if (message.startingToken !== "") {
      writer.uint32(18).string(message.startingToken);
    }
    if (message.sourceVolumeId !== "") {
      writer.uint32(26).string(message.sourceVolumeId);
    }
    if (message.snapshotId !== "") {
      writer.uint32(34).string(message.snapshotId);
    }
    globalThis.Object.entries(message.secrets).forEach(([key, value]: [string, string]) => {
      ListSnapshotsRequest_SecretsEntry.encode({ key: key as any, value }, writer.uint32(42).fork()).join();
    });
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ListSnapshotsRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseListSnapshotsRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.maxEntries = reader.int32();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.startingToken = reader.string();
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.sourceVolumeId = reader.string();
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            message.snapshotId = reader.string();
            continue;
          }
          case 5: {
            if (tag !== 42) {
              break;
            }

            const entry5 = ListSnapshotsRequest_SecretsEntry.decode(reader, reader.uint32());
            if (entry5.value !== undefined) {
              message.secrets[entry5.key] = entry5.value;
            }
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ListSnapshotsRequest>): ListSnapshotsRequest {
    return ListSnapshotsRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ListSnapshotsRequest>): ListSnapshotsRequest {
    const message = createBaseListSnapshotsRequest();
    message.maxEntries = object.maxEntries ?? 0;
    message.startingToken = object.startingToken ?? "";
    message.sourceVolumeId = object.sourceVolumeId ?? "";
    message.snapshotId = object.snapshotId ?? "";
    message.secrets = (globalThis.Object.entries(object.secrets ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    return message;
  },
};

function createBaseListSnapshotsRequest_SecretsEntry(): ListSnapshotsRequest_SecretsEntry {
  return { key: "", value: "" };
}

export const ListSnapshotsRequest_SecretsEntry: MessageFns<ListSnapshotsRequest_SecretsEntry> = {
  encode(message: ListSnapshotsRequest_SecretsEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ListSnapshotsRequest_SecretsEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseListSnapshotsRequest_SecretsEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ListSnapshotsRequest_SecretsEntry>): ListSnapshotsRequest_SecretsEntry {
    return ListSnapshotsRequest_SecretsEntry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ListSnapshotsRequest_SecretsEntry>): ListSnapshotsRequest_SecretsEntry {
    const message = createBaseListSnapshotsRequest_SecretsEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseListSnapshotsResponse(): ListSnapshotsResponse {
  return { entries: [], nextToken: "" };
}

export const ListSnapshotsResponse: MessageFns<ListSnapshotsResponse> = {
  encode(message: ListSnapshotsResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.entries) {
      ListSnapshotsResponse_Entry.encode(v!, writer.uint32(10).fork()).join();
    }
    if (message.nextToken !== "") {
      writer.uint32(18).string(message.nextToken);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ListSnapshotsResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseListSnapshotsResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.entries.push(ListSnapshotsResponse_Entry.decode(reader, reader.uint32()));
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.nextToken = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ListSnapshotsResponse>): ListSnapshotsResponse {
    return ListSnapshotsResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ListSnapshotsResponse>): ListSnapshotsResponse {
    const message = createBaseListSnapshotsResponse();
    message.entries = object.entries?.map((e) => ListSnapshotsResponse_Entry.fromPartial(e)) || [];
    message.nextToken = object.nextToken ?? "";
    return message;
  },
};

function createBaseListSnapshotsResponse_Entry(): ListSnapshotsResponse_Entry {
  return { snapshot: undefined };
}

export const ListSnapshotsResponse_Entry: MessageFns<ListSnapshotsResponse_Entry> = {
  encode(message: ListSnapshotsResponse_Entry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.snapshot !== undefined) {
      Snapshot.encode(message.snapshot, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ListSnapshotsResponse_Entry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseListSnapshotsResponse_Entry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.snapshot = Snapshot.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ListSnapshotsResponse_Entry>): ListSnapshotsResponse_Entry {
    return ListSnapshotsResponse_Entry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ListSnapshotsResponse_Entry>): ListSnapshotsResponse_Entry {
    const message = createBaseListSnapshotsResponse_Entry();
    message.snapshot = (object.snapshot !== undefined && object.snapshot !== null)
      ? Snapshot.fromPartial(object.snapshot)
      : undefined;
    return message;
  },
};

function createBaseControllerExpandVolumeRequest(): ControllerExpandVolumeRequest {
  return { volumeId: "", capacityRange: undefined, secrets: {}, volumeCapability: undefined };
}

export const ControllerExpandVolumeRequest: MessageFns<ControllerExpandVolumeRequest> = {
  encode(message: ControllerExpandVolumeRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.volumeId !== "") {
      writer.uint32(10).string(message.volumeId);
    }
    if (message.capacityRange !== undefined) {
      CapacityRange.encode(message.capacityRange, writer.uint32(18).fork()).join();
    }
    globalThis.Object.entries(message.secrets).forEach(([key, value]: [string, string]) => {
      ControllerExpandVolumeRequest_SecretsEntry.encode({ key: key as any, value }, writer.uint32(26).fork()).join();
    });
    if (message.volumeCapability !== undefined) {
      VolumeCapability.encode(message.volumeCapability, writer.uint32(34).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ControllerExpandVolumeRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseControllerExpandVolumeRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.volumeId = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.capacityRange = CapacityRange.decode(reader, reader.uint32());
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            const entry3 = ControllerExpandVolumeRequest_SecretsEntry.decode(reader, reader.uint32());
            if (entry3.value !== undefined) {
              message.secrets[entry3.key] = entry3.value;
            }
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            message.volumeCapability = VolumeCapability.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ControllerExpandVolumeRequest>): ControllerExpandVolumeRequest {
    return ControllerExpandVolumeRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ControllerExpandVolumeRequest>): ControllerExpandVolumeRequest {
    const message = createBaseControllerExpandVolumeRequest();
    message.volumeId = object.volumeId ?? "";
    message.capacityRange = (object.capacityRange !== undefined && object.capacityRange !== null)
      ? CapacityRange.fromPartial(object.capacityRange)
      : undefined;
    message.secrets = (globalThis.Object.entries(object.secrets ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    message.volumeCapability = (object.volumeCapability !== undefined && object.volumeCapability !== null)
      ? VolumeCapability.fromPartial(object.volumeCapability)
      : undefined;
    return message;
  },
};

function createBaseControllerExpandVolumeRequest_SecretsEntry(): ControllerExpandVolumeRequest_SecretsEntry {
  return { key: "", value: "" };
}

export const ControllerExpandVolumeRequest_SecretsEntry: MessageFns<ControllerExpandVolumeRequest_SecretsEntry> = {
  encode(message: ControllerExpandVolumeRequest_SecretsEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ControllerExpandVolumeRequest_SecretsEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseControllerExpandVolumeRequest_SecretsEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ControllerExpandVolumeRequest_SecretsEntry>): ControllerExpandVolumeRequest_SecretsEntry {
    return ControllerExpandVolumeRequest_SecretsEntry.fromPartial(base ?? {});
  },
  fromPartial(
    object: DeepPartial<ControllerExpandVolumeRequest_SecretsEntry>,
  ): ControllerExpandVolumeRequest_SecretsEntry {
    const message = createBaseControllerExpandVolumeRequest_SecretsEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseControllerExpandVolumeResponse(): ControllerExpandVolumeResponse {
  return { capacityBytes: 0, nodeExpansionRequired: false };
}

export const ControllerExpandVolumeResponse: MessageFns<ControllerExpandVolumeResponse> = {
  encode(message: ControllerExpandVolumeResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.capacityBytes !== 0) {
      writer.uint32(8).int64(message.capacityBytes);
    }
    if (message.nodeExpansionRequired !== false) {
      writer.uint32(16).bool(message.nodeExpansionRequired);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ControllerExpandVolumeResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseControllerExpandVolumeResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.capacityBytes = longToNumber(reader.int64());
            continue;
          }
          case 2: {
            if (tag !== 16) {
              break;
            }

            message.nodeExpansionRequired = reader.bool();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<ControllerExpandVolumeResponse>): ControllerExpandVolumeResponse {
    return ControllerExpandVolumeResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ControllerExpandVolumeResponse>): ControllerExpandVolumeResponse {
    const message = createBaseControllerExpandVolumeResponse();
    message.capacityBytes = object.capacityBytes ?? 0;
    message.nodeExpansionRequired = object.nodeExpansionRequired ?? false;
    return message;
  },
};

function createBaseNodeStageVolumeRequest(): NodeStageVolumeRequest {
  return {
    volumeId: "",
    publishContext: {},
    stagingTargetPath: "",
    volumeCapability: undefined,
    secrets: {},
    volumeContext: {},
  };
}

export const NodeStageVolumeRequest: MessageFns<NodeStageVolumeRequest> = {
  encode(message: NodeStageVolumeRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.volumeId !== "") {
      writer.uint32(10).string(message.volumeId);
    }
    globalThis.Object.entries(message.publishContext).forEach(([key, value]: [string, string]) => {
      NodeStageVolumeRequest_PublishContextEntry.encode({ key: key as any, value }, writer.uint32(18).fork()).join();
    });
    if (message.stagingTargetPath !== "") {
      writer.uint32(26).string(message.stagingTargetPath);
    }
    if (message.volumeCapability !== undefined) {
      VolumeCapability.encode(message.volumeCapability, writer.uint32(34).fork()).join();
    }
    globalThis.Object.entries(message.secrets).forEach(([key, value]: [string, string]) => {
      NodeStageVolumeRequest_SecretsEntry.encode({ key: key as any, value }, writer.uint32(42).fork()).join();
    });
    globalThis.Object.entries(message.volumeContext).forEach(([key, value]: [string, string]) => {
      NodeStageVolumeRequest_VolumeContextEntry.encode({ key: key as any, value }, writer.uint32(50).fork()).join();
    });
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): NodeStageVolumeRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseNodeStageVolumeRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.volumeId = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            const entry2 = NodeStageVolumeRequest_PublishContextEntry.decode(reader, reader.uint32());
            if (entry2.value !== undefined) {
              message.publishContext[entry2.key] = entry2.value;
            }
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.stagingTargetPath = reader.string();
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            message.volumeCapability = VolumeCapability.decode(reader, reader.uint32());
            continue;
          }
          case 5: {
            if (tag !== 42) {
              break;
            }

            const entry5 = NodeStageVolumeRequest_SecretsEntry.decode(reader, reader.uint32());
            if (entry5.value !== undefined) {
              message.secrets[entry5.key] = entry5.value;
            }
            continue;
          }
          case 6: {
            if (tag !== 50) {
              break;
            }

            const entry6 = NodeStageVolumeRequest_VolumeContextEntry.decode(reader, reader.uint32());
            if (entry6.value !== undefined) {
              message.volumeContext[entry6.key] = entry6.value;
            }
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<NodeStageVolumeRequest>): NodeStageVolumeRequest {
    return NodeStageVolumeRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<NodeStageVolumeRequest>): NodeStageVolumeRequest {
    const message = createBaseNodeStageVolumeRequest();
    message.volumeId = object.volumeId ?? "";
    message.publishContext = (globalThis.Object.entries(object.publishContext ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    message.stagingTargetPath = object.stagingTargetPath ?? "";
    message.volumeCapability = (object.volumeCapability !== undefined && object.volumeCapability !== null)
      ? VolumeCapability.fromPartial(object.volumeCapability)
      : undefined;
    message.secrets = (globalThis.Object.entries(object.secrets ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    message.volumeContext = (globalThis.Object.entries(object.volumeContext ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    return message;
  },
};

function createBaseNodeStageVolumeRequest_PublishContextEntry(): NodeStageVolumeRequest_PublishContextEntry {
  return { key: "", value: "" };
}

export const NodeStageVolumeRequest_PublishContextEntry: MessageFns<NodeStageVolumeRequest_PublishContextEntry> = {
  encode(message: NodeStageVolumeRequest_PublishContextEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): NodeStageVolumeRequest_PublishContextEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseNodeStageVolumeRequest_PublishContextEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<NodeStageVolumeRequest_PublishContextEntry>): NodeStageVolumeRequest_PublishContextEntry {
    return NodeStageVolumeRequest_PublishContextEntry.fromPartial(base ?? {});
  },
  fromPartial(
    object: DeepPartial<NodeStageVolumeRequest_PublishContextEntry>,
  ): NodeStageVolumeRequest_PublishContextEntry {
    const message = createBaseNodeStageVolumeRequest_PublishContextEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseNodeStageVolumeRequest_SecretsEntry(): NodeStageVolumeRequest_SecretsEntry {
  return { key: "", value: "" };
}

export const NodeStageVolumeRequest_SecretsEntry: MessageFns<NodeStageVolumeRequest_SecretsEntry> = {
  encode(message: NodeStageVolumeRequest_SecretsEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): NodeStageVolumeRequest_SecretsEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseNodeStageVolumeRequest_SecretsEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<NodeStageVolumeRequest_SecretsEntry>): NodeStageVolumeRequest_SecretsEntry {
    return NodeStageVolumeRequest_SecretsEntry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<NodeStageVolumeRequest_SecretsEntry>): NodeStageVolumeRequest_SecretsEntry {
    const message = createBaseNodeStageVolumeRequest_SecretsEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseNodeStageVolumeRequest_VolumeContextEntry(): NodeStageVolumeRequest_VolumeContextEntry {
  return { key: "", value: "" };
}

export const NodeStageVolumeRequest_VolumeContextEntry: MessageFns<NodeStageVolumeRequest_VolumeContextEntry> = {
  encode(message: NodeStageVolumeRequest_VolumeContextEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): NodeStageVolumeRequest_VolumeContextEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseNodeStageVolumeRequest_VolumeContextEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<NodeStageVolumeRequest_VolumeContextEntry>): NodeStageVolumeRequest_VolumeContextEntry {
    return NodeStageVolumeRequest_VolumeContextEntry.fromPartial(base ?? {});
  },
  fromPartial(
    object: DeepPartial<NodeStageVolumeRequest_VolumeContextEntry>,
  ): NodeStageVolumeRequest_VolumeContextEntry {
    const message = createBaseNodeStageVolumeRequest_VolumeContextEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseNodeStageVolumeResponse(): NodeStageVolumeResponse {
  return {};
}

export const NodeStageVolumeResponse: MessageFns<NodeStageVolumeResponse> = {
  encode(_: NodeStageVolumeResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): NodeStageVolumeResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseNodeStageVolumeResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<NodeStageVolumeResponse>): NodeStageVolumeResponse {
    return NodeStageVolumeResponse.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<NodeStageVolumeResponse>): NodeStageVolumeResponse {
    const message = createBaseNodeStageVolumeResponse();
    return message;
  },
};

function createBaseNodeUnstageVolumeRequest(): NodeUnstageVolumeRequest {
  return { volumeId: "", stagingTargetPath: "" };
}

export const NodeUnstageVolumeRequest: MessageFns<NodeUnstageVolumeRequest> = {
  encode(message: NodeUnstageVolumeRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.volumeId !== "") {
      writer.uint32(10).string(message.volumeId);
    }
    if (message.stagingTargetPath !== "") {
      writer.uint32(18).string(message.stagingTargetPath);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): NodeUnstageVolumeRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseNodeUnstageVolumeRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.volumeId = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.stagingTargetPath = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<NodeUnstageVolumeRequest>): NodeUnstageVolumeRequest {
    return NodeUnstageVolumeRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<NodeUnstageVolumeRequest>): NodeUnstageVolumeRequest {
    const message = createBaseNodeUnstageVolumeRequest();
    message.volumeId = object.volumeId ?? "";
    message.stagingTargetPath = object.stagingTargetPath ?? "";
    return message;
  },
};

function createBaseNodeUnstageVolumeResponse(): NodeUnstageVolumeResponse {
  return {};
}

export const NodeUnstageVolumeResponse: MessageFns<NodeUnstageVolumeResponse> = {
  encode(_: NodeUnstageVolumeResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): NodeUnstageVolumeResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseNodeUnstageVolumeResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<NodeUnstageVolumeResponse>): NodeUnstageVolumeResponse {
    return NodeUnstageVolumeResponse.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<NodeUnstageVolumeResponse>): NodeUnstageVolumeResponse {
    const message = createBaseNodeUnstageVolumeResponse();
    return message;
  },
};

function createBaseNodePublishVolumeRequest(): NodePublishVolumeRequest {
  return {
    volumeId: "",
    publishContext: {},
    stagingTargetPath: "",
    targetPath: "",
    volumeCapability: undefined,
    readonly: false,
    secrets: {},
    volumeContext: {},
  };
}

export const NodePublishVolumeRequest: MessageFns<NodePublishVolumeRequest> = {
  encode(message: NodePublishVolumeRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.volumeId !== "") {
      writer.uint32(10).string(message.volumeId);
    }
    globalThis.Object.entries(message.publishContext).forEach(([key, value]: [string, string]) => {
      NodePublishVolumeRequest_PublishContextEntry.encode({ key: key as any, value }, writer.uint32(18).fork()).join();
    });
    if (message.stagingTargetPath !== "") {
      writer.uint32(26).string(message.stagingTargetPath);
    }
    if (message.targetPath !== "") {
      writer.uint32(34).string(message.targetPath);
    }
    if (message.volumeCapability !== undefined) {
      VolumeCapability.encode(message.volumeCapability, writer.uint32(42).fork()).join();
    }
    if (message.readonly !== false) {
      writer.uint32(48).bool(message.readonly);
    }
    globalThis.Object.entries(message.secrets).forEach(([key, value]: [string, string]) => {
      NodePublishVolumeRequest_SecretsEntry.encode({ key: key as any, value }, writer.uint32(58).fork()).join();
    });
    globalThis.Object.entries(message.volumeContext).forEach(([key, value]: [string, string]) => {
      NodePublishVolumeRequest_VolumeContextEntry.encode({ key: key as any, value }, writer.uint32(66).fork()).join();
    });
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): NodePublishVolumeRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseNodePublishVolumeRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.volumeId = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            const entry2 = NodePublishVolumeRequest_PublishContextEntry.decode(reader, reader.uint32());
            if (entry2.value !== undefined) {
              message.publishContext[entry2.key] = entry2.value;
            }
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.stagingTargetPath = reader.string();
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            message.targetPath = reader.string();
            continue;
          }
          case 5: {
            if (tag !== 42) {
              break;
            }

            message.volumeCapability = VolumeCapability.decode(reader, reader.uint32());
            continue;
          }
          case 6: {
            if (tag !== 48) {
              break;
            }

            message.readonly = reader.bool();
            continue;
          }
          case 7: {
            if (tag !== 58) {
              break;
            }

            const entry7 = NodePublishVolumeRequest_SecretsEntry.decode(reader, reader.uint32());
            if (entry7.value !== undefined) {
              message.secrets[entry7.key] = entry7.value;
            }
            continue;
          }
          case 8: {
            if (tag !== 66) {
              break;
            }

            const entry8 = NodePublishVolumeRequest_VolumeContextEntry.decode(reader, reader.uint32());
            if (entry8.value !== undefined) {
              message.volumeContext[entry8.key] = entry8.value;
            }
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<NodePublishVolumeRequest>): NodePublishVolumeRequest {
    return NodePublishVolumeRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<NodePublishVolumeRequest>): NodePublishVolumeRequest {
    const message = createBaseNodePublishVolumeRequest();
    message.volumeId = object.volumeId ?? "";
    message.publishContext = (globalThis.Object.entries(object.publishContext ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    message.stagingTargetPath = object.stagingTargetPath ?? "";
    message.targetPath = object.targetPath ?? "";
    message.volumeCapability = (object.volumeCapability !== undefined && object.volumeCapability !== null)
      ? VolumeCapability.fromPartial(object.volumeCapability)
      : undefined;
    message.readonly = object.readonly ?? false;
    message.secrets = (globalThis.Object.entries(object.secrets ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    message.volumeContext = (globalThis.Object.entries(object.volumeContext ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    return message;
  },
};

function createBaseNodePublishVolumeRequest_PublishContextEntry(): NodePublishVolumeRequest_PublishContextEntry {
  return { key: "", value: "" };
}

export const NodePublishVolumeRequest_PublishContextEntry: MessageFns<NodePublishVolumeRequest_PublishContextEntry> = {
  encode(
    message: NodePublishVolumeRequest_PublishContextEntry,
    writer: BinaryWriter = new BinaryWriter(),
  ): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): NodePublishVolumeRequest_PublishContextEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseNodePublishVolumeRequest_PublishContextEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(
    base?: DeepPartial<NodePublishVolumeRequest_PublishContextEntry>,
  ): NodePublishVolumeRequest_PublishContextEntry {
    return NodePublishVolumeRequest_PublishContextEntry.fromPartial(base ?? {});
  },
  fromPartial(
    object: DeepPartial<NodePublishVolumeRequest_PublishContextEntry>,
  ): NodePublishVolumeRequest_PublishContextEntry {
    const message = createBaseNodePublishVolumeRequest_PublishContextEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseNodePublishVolumeRequest_SecretsEntry(): NodePublishVolumeRequest_SecretsEntry {
  return { key: "", value: "" };
}

export const NodePublishVolumeRequest_SecretsEntry: MessageFns<NodePublishVolumeRequest_SecretsEntry> = {
  encode(message: NodePublishVolumeRequest_SecretsEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): NodePublishVolumeRequest_SecretsEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseNodePublishVolumeRequest_SecretsEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<NodePublishVolumeRequest_SecretsEntry>): NodePublishVolumeRequest_SecretsEntry {
    return NodePublishVolumeRequest_SecretsEntry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<NodePublishVolumeRequest_SecretsEntry>): NodePublishVolumeRequest_SecretsEntry {
    const message = createBaseNodePublishVolumeRequest_SecretsEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseNodePublishVolumeRequest_VolumeContextEntry(): NodePublishVolumeRequest_VolumeContextEntry {
  return { key: "", value: "" };
}

export const NodePublishVolumeRequest_VolumeContextEntry: MessageFns<NodePublishVolumeRequest_VolumeContextEntry> = {
  encode(
    message: NodePublishVolumeRequest_VolumeContextEntry,
    writer: BinaryWriter = new BinaryWriter(),
  ): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): NodePublishVolumeRequest_VolumeContextEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseNodePublishVolumeRequest_VolumeContextEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<NodePublishVolumeRequest_VolumeContextEntry>): NodePublishVolumeRequest_VolumeContextEntry {
    return NodePublishVolumeRequest_VolumeContextEntry.fromPartial(base ?? {});
  },
  fromPartial(
    object: DeepPartial<NodePublishVolumeRequest_VolumeContextEntry>,
  ): NodePublishVolumeRequest_VolumeContextEntry {
    const message = createBaseNodePublishVolumeRequest_VolumeContextEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseNodePublishVolumeResponse(): NodePublishVolumeResponse {
  return {};
}

export const NodePublishVolumeResponse: MessageFns<NodePublishVolumeResponse> = {
  encode(_: NodePublishVolumeResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): NodePublishVolumeResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseNodePublishVolumeResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<NodePublishVolumeResponse>): NodePublishVolumeResponse {
    return NodePublishVolumeResponse.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<NodePublishVolumeResponse>): NodePublishVolumeResponse {
    const message = createBaseNodePublishVolumeResponse();
    return message;
  },
};

function createBaseNodeUnpublishVolumeRequest(): NodeUnpublishVolumeRequest {
  return { volumeId: "", targetPath: "" };
}

export const NodeUnpublishVolumeRequest: MessageFns<NodeUnpublishVolumeRequest> = {
  encode(message: NodeUnpublishVolumeRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.volumeId !== "") {
      writer.uint32(10).string(message.volumeId);
    }
    if (message.targetPath !== "") {
      writer.uint32(18).string(message.targetPath);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): NodeUnpublishVolumeRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseNodeUnpublishVolumeRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.volumeId = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.targetPath = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<NodeUnpublishVolumeRequest>): NodeUnpublishVolumeRequest {
    return NodeUnpublishVolumeRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<NodeUnpublishVolumeRequest>): NodeUnpublishVolumeRequest {
    const message = createBaseNodeUnpublishVolumeRequest();
    message.volumeId = object.volumeId ?? "";
    message.targetPath = object.targetPath ?? "";
    return message;
  },
};

function createBaseNodeUnpublishVolumeResponse(): NodeUnpublishVolumeResponse {
  return {};
}

export const NodeUnpublishVolumeResponse: MessageFns<NodeUnpublishVolumeResponse> = {
  encode(_: NodeUnpublishVolumeResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): NodeUnpublishVolumeResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseNodeUnpublishVolumeResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<NodeUnpublishVolumeResponse>): NodeUnpublishVolumeResponse {
    return NodeUnpublishVolumeResponse.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<NodeUnpublishVolumeResponse>): NodeUnpublishVolumeResponse {
    const message = createBaseNodeUnpublishVolumeResponse();
    return message;
  },
};

function createBaseNodeGetVolumeStatsRequest(): NodeGetVolumeStatsRequest {
  return { volumeId: "", volumePath: "", stagingTargetPath: "" };
}

export const NodeGetVolumeStatsRequest: MessageFns<NodeGetVolumeStatsRequest> = {
  encode(message: NodeGetVolumeStatsRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.volumeId !== "") {
      writer.uint32(10).string(message.volumeId);
    }
    if (message.volumePath !== "") {
      writer.uint32(18).string(message.volumePath);
    }
    if (message.stagingTargetPath !== "") {
      writer.uint32(26).string(message.stagingTargetPath);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): NodeGetVolumeStatsRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseNodeGetVolumeStatsRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.volumeId = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.volumePath = reader.string();
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.stagingTargetPath = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<NodeGetVolumeStatsRequest>): NodeGetVolumeStatsRequest {
    return NodeGetVolumeStatsRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<NodeGetVolumeStatsRequest>): NodeGetVolumeStatsRequest {
    const message = createBaseNodeGetVolumeStatsRequest();
    message.volumeId = object.volumeId ?? "";
    message.volumePath = object.volumePath ?? "";
    message.stagingTargetPath = object.stagingTargetPath ?? "";
    return message;
  },
};

function createBaseNodeGetVolumeStatsResponse(): NodeGetVolumeStatsResponse {
  return { usage: [], volumeCondition: undefined };
}

export const NodeGetVolumeStatsResponse: MessageFns<NodeGetVolumeStatsResponse> = {
  encode(message: NodeGetVolumeStatsResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.usage) {
      VolumeUsage.encode(v!, writer.uint32(10).fork()).join();
    }
    if (message.volumeCondition !== undefined) {
      VolumeCondition.encode(message.volumeCondition, writer.uint32(18).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): NodeGetVolumeStatsResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseNodeGetVolumeStatsResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.usage.push(VolumeUsage.decode(reader, reader.uint32()));
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.volumeCondition = VolumeCondition.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<NodeGetVolumeStatsResponse>): NodeGetVolumeStatsResponse {
    return NodeGetVolumeStatsResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<NodeGetVolumeStatsResponse>): NodeGetVolumeStatsResponse {
    const message = createBaseNodeGetVolumeStatsResponse();
    message.usage = object.usage?.map((e) => VolumeUsage.fromPartial(e)) || [];
    message.volumeCondition = (object.volumeCondition !== undefined && object.volumeCondition !== null)
      ? VolumeCondition.fromPartial(object.volumeCondition)
      : undefined;
    return message;
  },
};

function createBaseVolumeUsage(): VolumeUsage {
  return { available: 0, total: 0, used: 0, unit: 0 };
}

export const VolumeUsage: MessageFns<VolumeUsage> = {
  encode(message: VolumeUsage, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.available !== 0) {
      writer.uint32(8).int64(message.available);
    }
    if (message.total !== 0) {
      writer.uint32(16).int64(message.total);
    }
    if (message.used !== 0) {
      writer.uint32(24).int64(message.used);
    }
    if (message.unit !== 0) {
      writer.uint32(32).int32(message.unit);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): VolumeUsage {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseVolumeUsage();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.available = longToNumber(reader.int64());
            continue;
          }
          case 2: {
            if (tag !== 16) {
              break;
            }

            message.total = longToNumber(reader.int64());
            continue;
          }
          case 3: {
            if (tag !== 24) {
              break;
            }

            message.used = longToNumber(reader.int64());
            continue;
          }
          case 4: {
            if (tag !== 32) {
              break;
            }

            message.unit = reader.int32() as any;
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<VolumeUsage>): VolumeUsage {
    return VolumeUsage.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<VolumeUsage>): VolumeUsage {
    const message = createBaseVolumeUsage();
    message.available = object.available ?? 0;
    message.total = object.total ?? 0;
    message.used = object.used ?? 0;
    message.unit = object.unit ?? 0;
    return message;
  },
};

function createBaseVolumeCondition(): VolumeCondition {
  return { abnormal: false, message: "" };
}

export const VolumeCondition: MessageFns<VolumeCondition> = {
  encode(message: VolumeCondition, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.abnormal !== false) {
      writer.uint32(8).bool(message.abnormal);
    }
    if (message.message !== "") {
      writer.uint32(18).string(message.message);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): VolumeCondition {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseVolumeCondition();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.abnormal = reader.bool();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.message = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<VolumeCondition>): VolumeCondition {
    return VolumeCondition.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<VolumeCondition>): VolumeCondition {
    const message = createBaseVolumeCondition();
    message.abnormal = object.abnormal ?? false;
    message.message = object.message ?? "";
    return message;
  },
};

function createBaseNodeGetCapabilitiesRequest(): NodeGetCapabilitiesRequest {
  return {};
}

export const NodeGetCapabilitiesRequest: MessageFns<NodeGetCapabilitiesRequest> = {
  encode(_: NodeGetCapabilitiesRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): NodeGetCapabilitiesRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseNodeGetCapabilitiesRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<NodeGetCapabilitiesRequest>): NodeGetCapabilitiesRequest {
    return NodeGetCapabilitiesRequest.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<NodeGetCapabilitiesRequest>): NodeGetCapabilitiesRequest {
    const message = createBaseNodeGetCapabilitiesRequest();
    return message;
  },
};

function createBaseNodeGetCapabilitiesResponse(): NodeGetCapabilitiesResponse {
  return { capabilities: [] };
}

export const NodeGetCapabilitiesResponse: MessageFns<NodeGetCapabilitiesResponse> = {
  encode(message: NodeGetCapabilitiesResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.capabilities) {
      NodeServiceCapability.encode(v!, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): NodeGetCapabilitiesResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseNodeGetCapabilitiesResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.capabilities.push(NodeServiceCapability.decode(reader, reader.uint32()));
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<NodeGetCapabilitiesResponse>): NodeGetCapabilitiesResponse {
    return NodeGetCapabilitiesResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<NodeGetCapabilitiesResponse>): NodeGetCapabilitiesResponse {
    const message = createBaseNodeGetCapabilitiesResponse();
    message.capabilities = object.capabilities?.map((e) => NodeServiceCapability.fromPartial(e)) || [];
    return message;
  },
};

function createBaseNodeServiceCapability(): NodeServiceCapability {
  return { rpc: undefined };
}

export const NodeServiceCapability: MessageFns<NodeServiceCapability> = {
  encode(message: NodeServiceCapability, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.rpc !== undefined) {
      NodeServiceCapability_RPC.encode(message.rpc, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): NodeServiceCapability {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseNodeServiceCapability();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.rpc = NodeServiceCapability_RPC.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<NodeServiceCapability>): NodeServiceCapability {
    return NodeServiceCapability.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<NodeServiceCapability>): NodeServiceCapability {
    const message = createBaseNodeServiceCapability();
    message.rpc = (object.rpc !== undefined && object.rpc !== null)
      ? NodeServiceCapability_RPC.fromPartial(object.rpc)
      : undefined;
    return message;
  },
};

function createBaseNodeServiceCapability_RPC(): NodeServiceCapability_RPC {
  return { type: 0 };
}

export const NodeServiceCapability_RPC: MessageFns<NodeServiceCapability_RPC> = {
  encode(message: NodeServiceCapability_RPC, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.type !== 0) {
      writer.uint32(8).int32(message.type);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): NodeServiceCapability_RPC {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseNodeServiceCapability_RPC();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.type = reader.int32() as any;
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<NodeServiceCapability_RPC>): NodeServiceCapability_RPC {
    return NodeServiceCapability_RPC.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<NodeServiceCapability_RPC>): NodeServiceCapability_RPC {
    const message = createBaseNodeServiceCapability_RPC();
    message.type = object.type ?? 0;
    return message;
  },
};

function createBaseNodeGetInfoRequest(): NodeGetInfoRequest {
  return {};
}

export const NodeGetInfoRequest: MessageFns<NodeGetInfoRequest> = {
  encode(_: NodeGetInfoRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): NodeGetInfoRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseNodeGetInfoRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<NodeGetInfoRequest>): NodeGetInfoRequest {
    return NodeGetInfoRequest.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<NodeGetInfoRequest>): NodeGetInfoRequest {
    const message = createBaseNodeGetInfoRequest();
    return message;
  },
};

function createBaseNodeGetInfoResponse(): NodeGetInfoResponse {
  return { nodeId: "", maxVolumesPerNode: 0, accessibleTopology: undefined };
}

export const NodeGetInfoResponse: MessageFns<NodeGetInfoResponse> = {
  encode(message: NodeGetInfoResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.nodeId !== "") {
      writer.uint32(10).string(message.nodeId);
    }
    if (message.maxVolumesPerNode !== 0) {
      writer.uint32(16).int64(message.maxVolumesPerNode);
    }
    if (message.accessibleTopology !== undefined) {
      Topology.encode(message.accessibleTopology, writer.uint32(26).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): NodeGetInfoResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseNodeGetInfoResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.nodeId = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 16) {
              break;
            }

            message.maxVolumesPerNode = longToNumber(reader.int64());
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.accessibleTopology = Topology.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<NodeGetInfoResponse>): NodeGetInfoResponse {
    return NodeGetInfoResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<NodeGetInfoResponse>): NodeGetInfoResponse {
    const message = createBaseNodeGetInfoResponse();
    message.nodeId = object.nodeId ?? "";
    message.maxVolumesPerNode = object.maxVolumesPerNode ?? 0;
    message.accessibleTopology = (object.accessibleTopology !== undefined && object.accessibleTopology !== null)
      ? Topology.fromPartial(object.accessibleTopology)
      : undefined;
    return message;
  },
};

function createBaseNodeExpandVolumeRequest(): NodeExpandVolumeRequest {
  return {
    volumeId: "",
    volumePath: "",
    capacityRange: undefined,
    stagingTargetPath: "",
    volumeCapability: undefined,
    secrets: {},
  };
}

export const NodeExpandVolumeRequest: MessageFns<NodeExpandVolumeRequest> = {
  encode(message: NodeExpandVolumeRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.volumeId !== "") {
      writer.uint32(10).string(message.volumeId);
    }
    if (message.volumePath !== "") {
      writer.uint32(18).string(message.volumePath);
    }
    if (message.capacityRange !== undefined) {
      CapacityRange.encode(message.capacityRange, writer.uint32(26).fork()).join();
    }
    if (message.stagingTargetPath !== "") {
      writer.uint32(34).string(message.stagingTargetPath);
    }
    if (message.volumeCapability !== undefined) {
      VolumeCapability.encode(message.volumeCapability, writer.uint32(42).fork()).join();
    }
    globalThis.Object.entries(message.secrets).forEach(([key, value]: [string, string]) => {
      NodeExpandVolumeRequest_SecretsEntry.encode({ key: key as any, value }, writer.uint32(50).fork()).join();
    });
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): NodeExpandVolumeRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseNodeExpandVolumeRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.volumeId = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.volumePath = reader.string();
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.capacityRange = CapacityRange.decode(reader, reader.uint32());
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            message.stagingTargetPath = reader.string();
            continue;
          }
          case 5: {
            if (tag !== 42) {
              break;
            }

            message.volumeCapability = VolumeCapability.decode(reader, reader.uint32());
            continue;
          }
          case 6: {
            if (tag !== 50) {
              break;
            }

            const entry6 = NodeExpandVolumeRequest_SecretsEntry.decode(reader, reader.uint32());
            if (entry6.value !== undefined) {
              message.secrets[entry6.key] = entry6.value;
            }
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<NodeExpandVolumeRequest>): NodeExpandVolumeRequest {
    return NodeExpandVolumeRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<NodeExpandVolumeRequest>): NodeExpandVolumeRequest {
    const message = createBaseNodeExpandVolumeRequest();
    message.volumeId = object.volumeId ?? "";
    message.volumePath = object.volumePath ?? "";
    message.capacityRange = (object.capacityRange !== undefined && object.capacityRange !== null)
      ? CapacityRange.fromPartial(object.capacityRange)
      : undefined;
    message.stagingTargetPath = object.stagingTargetPath ?? "";
    message.volumeCapability = (object.volumeCapability !== undefined && object.volumeCapability !== null)
      ? VolumeCapability.fromPartial(object.volumeCapability)
      : undefined;
    message.secrets = (globalThis.Object.entries(object.secrets ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    return message;
  },
};

function createBaseNodeExpandVolumeRequest_SecretsEntry(): NodeExpandVolumeRequest_SecretsEntry {
  return { key: "", value: "" };
}

export const NodeExpandVolumeRequest_SecretsEntry: MessageFns<NodeExpandVolumeRequest_SecretsEntry> = {
  encode(message: NodeExpandVolumeRequest_SecretsEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): NodeExpandVolumeRequest_SecretsEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseNodeExpandVolumeRequest_SecretsEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<NodeExpandVolumeRequest_SecretsEntry>): NodeExpandVolumeRequest_SecretsEntry {
    return NodeExpandVolumeRequest_SecretsEntry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<NodeExpandVolumeRequest_SecretsEntry>): NodeExpandVolumeRequest_SecretsEntry {
    const message = createBaseNodeExpandVolumeRequest_SecretsEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseNodeExpandVolumeResponse(): NodeExpandVolumeResponse {
  return { capacityBytes: 0 };
}

export const NodeExpandVolumeResponse: MessageFns<NodeExpandVolumeResponse> = {
  encode(message: NodeExpandVolumeResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.capacityBytes !== 0) {
      writer.uint32(8).int64(message.capacityBytes);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): NodeExpandVolumeResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseNodeExpandVolumeResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.capacityBytes = longToNumber(reader.int64());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<NodeExpandVolumeResponse>): NodeExpandVolumeResponse {
    return NodeExpandVolumeResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<NodeExpandVolumeResponse>): NodeExpandVolumeResponse {
    const message = createBaseNodeExpandVolumeResponse();
    message.capacityBytes = object.capacityBytes ?? 0;
    return message;
  },
};

function createBaseGroupControllerGetCapabilitiesRequest(): GroupControllerGetCapabilitiesRequest {
  return {};
}

export const GroupControllerGetCapabilitiesRequest: MessageFns<GroupControllerGetCapabilitiesRequest> = {
  encode(_: GroupControllerGetCapabilitiesRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): GroupControllerGetCapabilitiesRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseGroupControllerGetCapabilitiesRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<GroupControllerGetCapabilitiesRequest>): GroupControllerGetCapabilitiesRequest {
    return GroupControllerGetCapabilitiesRequest.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<GroupControllerGetCapabilitiesRequest>): GroupControllerGetCapabilitiesRequest {
    const message = createBaseGroupControllerGetCapabilitiesRequest();
    return message;
  },
};

function createBaseGroupControllerGetCapabilitiesResponse(): GroupControllerGetCapabilitiesResponse {
  return { capabilities: [] };
}

export const GroupControllerGetCapabilitiesResponse: MessageFns<GroupControllerGetCapabilitiesResponse> = {
  encode(message: GroupControllerGetCapabilitiesResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.capabilities) {
      GroupControllerServiceCapability.encode(v!, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): GroupControllerGetCapabilitiesResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseGroupControllerGetCapabilitiesResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.capabilities.push(GroupControllerServiceCapability.decode(reader, reader.uint32()));
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<GroupControllerGetCapabilitiesResponse>): GroupControllerGetCapabilitiesResponse {
    return GroupControllerGetCapabilitiesResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<GroupControllerGetCapabilitiesResponse>): GroupControllerGetCapabilitiesResponse {
    const message = createBaseGroupControllerGetCapabilitiesResponse();
    message.capabilities = object.capabilities?.map((e) => GroupControllerServiceCapability.fromPartial(e)) || [];
    return message;
  },
};

function createBaseGroupControllerServiceCapability(): GroupControllerServiceCapability {
  return { rpc: undefined };
}

export const GroupControllerServiceCapability: MessageFns<GroupControllerServiceCapability> = {
  encode(message: GroupControllerServiceCapability, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.rpc !== undefined) {
      GroupControllerServiceCapability_RPC.encode(message.rpc, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): GroupControllerServiceCapability {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseGroupControllerServiceCapability();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.rpc = GroupControllerServiceCapability_RPC.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<GroupControllerServiceCapability>): GroupControllerServiceCapability {
    return GroupControllerServiceCapability.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<GroupControllerServiceCapability>): GroupControllerServiceCapability {
    const message = createBaseGroupControllerServiceCapability();
    message.rpc = (object.rpc !== undefined && object.rpc !== null)
      ? GroupControllerServiceCapability_RPC.fromPartial(object.rpc)
      : undefined;
    return message;
  },
};

function createBaseGroupControllerServiceCapability_RPC(): GroupControllerServiceCapability_RPC {
  return { type: 0 };
}

export const GroupControllerServiceCapability_RPC: MessageFns<GroupControllerServiceCapability_RPC> = {
  encode(message: GroupControllerServiceCapability_RPC, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.type !== 0) {
      writer.uint32(8).int32(message.type);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): GroupControllerServiceCapability_RPC {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseGroupControllerServiceCapability_RPC();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.type = reader.int32() as any;
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<GroupControllerServiceCapability_RPC>): GroupControllerServiceCapability_RPC {
    return GroupControllerServiceCapability_RPC.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<GroupControllerServiceCapability_RPC>): GroupControllerServiceCapability_RPC {
    const message = createBaseGroupControllerServiceCapability_RPC();
    message.type = object.type ?? 0;
    return message;
  },
};

function createBaseCreateVolumeGroupSnapshotRequest(): CreateVolumeGroupSnapshotRequest {
  return { name: "", sourceVolumeIds: [], secrets: {}, parameters: {} };
}

export const CreateVolumeGroupSnapshotRequest: MessageFns<CreateVolumeGroupSnapshotRequest> = {
  encode(message: CreateVolumeGroupSnapshotRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.name !== "") {
      writer.uint32(10).string(message.name);
    }
    for (const v of message.sourceVolumeIds) {
      writer.uint32(18).string(v!);
    }
    globalThis.Object.entries(message.secrets).forEach(([key, value]: [string, string]) => {
      CreateVolumeGroupSnapshotRequest_SecretsEntry.encode({ key: key as any, value }, writer.uint32(26).fork()).join();
    });
    globalThis.Object.entries(message.parameters).forEach(([key, value]: [string, string]) => {
      CreateVolumeGroupSnapshotRequest_ParametersEntry.encode({ key: key as any, value }, writer.uint32(34).fork())
        .join();
    });
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): CreateVolumeGroupSnapshotRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseCreateVolumeGroupSnapshotRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.name = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.sourceVolumeIds.push(reader.string());
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            const entry3 = CreateVolumeGroupSnapshotRequest_SecretsEntry.decode(reader, reader.uint32());
            if (entry3.value !== undefined) {
              message.secrets[entry3.key] = entry3.value;
            }
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            const entry4 = CreateVolumeGroupSnapshotRequest_ParametersEntry.decode(reader, reader.uint32());
            if (entry4.value !== undefined) {
              message.parameters[entry4.key] = entry4.value;
            }
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<CreateVolumeGroupSnapshotRequest>): CreateVolumeGroupSnapshotRequest {
    return CreateVolumeGroupSnapshotRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<CreateVolumeGroupSnapshotRequest>): CreateVolumeGroupSnapshotRequest {
    const message = createBaseCreateVolumeGroupSnapshotRequest();
    message.name = object.name ?? "";
    message.sourceVolumeIds = object.sourceVolumeIds?.map((e) => e) || [];
    message.secrets = (globalThis.Object.entries(object.secrets ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    message.parameters = (globalThis.Object.entries(object.parameters ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    return message;
  },
};

function createBaseCreateVolumeGroupSnapshotRequest_SecretsEntry(): CreateVolumeGroupSnapshotRequest_SecretsEntry {
  return { key: "", value: "" };
}

export const CreateVolumeGroupSnapshotRequest_SecretsEntry: MessageFns<CreateVolumeGroupSnapshotRequest_SecretsEntry> =
  {
    encode(
      message: CreateVolumeGroupSnapshotRequest_SecretsEntry,
      writer: BinaryWriter = new BinaryWriter(),
    ): BinaryWriter {
      if (message.key !== "") {
        writer.uint32(10).string(message.key);
      }
      if (message.value !== "") {
        writer.uint32(18).string(message.value);
      }
      return writer;
    },

    decode(input: BinaryReader | Uint8Array, length?: number): CreateVolumeGroupSnapshotRequest_SecretsEntry {
      const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
      const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
      if (previousRecursionDepth >= 100) {
        throw new globalThis.Error("protobuf decode recursion limit exceeded");
      }
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
      try {
        const end = length === undefined ? reader.len : reader.pos + length;
        const message = createBaseCreateVolumeGroupSnapshotRequest_SecretsEntry();
        while (reader.pos < end) {
          const tag = reader.uint32();
          switch (tag >>> 3) {
            case 1: {
              if (tag !== 10) {
                break;
              }

              message.key = reader.string();
              continue;
            }
            case 2: {
              if (tag !== 18) {
                break;
              }

              message.value = reader.string();
              continue;
            }
          }
          if ((tag & 7) === 4 || tag === 0) {
            break;
          }
          reader.skip(tag & 7);
        }
        return message;
      } finally {
        (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
      }
    },

    create(
      base?: DeepPartial<CreateVolumeGroupSnapshotRequest_SecretsEntry>,
    ): CreateVolumeGroupSnapshotRequest_SecretsEntry {
      return CreateVolumeGroupSnapshotRequest_SecretsEntry.fromPartial(base ?? {});
    },
    fromPartial(
      object: DeepPartial<CreateVolumeGroupSnapshotRequest_SecretsEntry>,
    ): CreateVolumeGroupSnapshotRequest_SecretsEntry {
      const message = createBaseCreateVolumeGroupSnapshotRequest_SecretsEntry();
      message.key = object.key ?? "";
      message.value = object.value ?? "";
      return message;
    },
  };

function createBaseCreateVolumeGroupSnapshotRequest_ParametersEntry(): CreateVolumeGroupSnapshotRequest_ParametersEntry {
  return { key: "", value: "" };
}

export const CreateVolumeGroupSnapshotRequest_ParametersEntry: MessageFns<
  CreateVolumeGroupSnapshotRequest_ParametersEntry
> = {
  encode(
    message: CreateVolumeGroupSnapshotRequest_ParametersEntry,
    writer: BinaryWriter = new BinaryWriter(),
  ): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): CreateVolumeGroupSnapshotRequest_ParametersEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseCreateVolumeGroupSnapshotRequest_ParametersEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(
    base?: DeepPartial<CreateVolumeGroupSnapshotRequest_ParametersEntry>,
  ): CreateVolumeGroupSnapshotRequest_ParametersEntry {
    return CreateVolumeGroupSnapshotRequest_ParametersEntry.fromPartial(base ?? {});
  },
  fromPartial(
    object: DeepPartial<CreateVolumeGroupSnapshotRequest_ParametersEntry>,
  ): CreateVolumeGroupSnapshotRequest_ParametersEntry {
    const message = createBaseCreateVolumeGroupSnapshotRequest_ParametersEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseCreateVolumeGroupSnapshotResponse(): CreateVolumeGroupSnapshotResponse {
  return { groupSnapshot: undefined };
}

export const CreateVolumeGroupSnapshotResponse: MessageFns<CreateVolumeGroupSnapshotResponse> = {
  encode(message: CreateVolumeGroupSnapshotResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.groupSnapshot !== undefined) {
      VolumeGroupSnapshot.encode(message.groupSnapshot, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): CreateVolumeGroupSnapshotResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseCreateVolumeGroupSnapshotResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.groupSnapshot = VolumeGroupSnapshot.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<CreateVolumeGroupSnapshotResponse>): CreateVolumeGroupSnapshotResponse {
    return CreateVolumeGroupSnapshotResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<CreateVolumeGroupSnapshotResponse>): CreateVolumeGroupSnapshotResponse {
    const message = createBaseCreateVolumeGroupSnapshotResponse();
    message.groupSnapshot = (object.groupSnapshot !== undefined && object.groupSnapshot !== null)
      ? VolumeGroupSnapshot.fromPartial(object.groupSnapshot)
      : undefined;
    return message;
  },
};

function createBaseVolumeGroupSnapshot(): VolumeGroupSnapshot {
  return { groupSnapshotId: "", snapshots: [], creationTime: undefined, readyToUse: false };
}

export const VolumeGroupSnapshot: MessageFns<VolumeGroupSnapshot> = {
  encode(message: VolumeGroupSnapshot, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.groupSnapshotId !== "") {
      writer.uint32(10).string(message.groupSnapshotId);
    }
    for (const v of message.snapshots) {
      Snapshot.encode(v!, writer.uint32(18).fork()).join();
    }
    if (message.creationTime !== undefined) {
      Timestamp.encode(toTimestamp(message.creationTime), writer.uint32(26).fork()).join();
    }
    if (message.readyToUse !== false) {
      writer.uint32(32).bool(message.readyToUse);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): VolumeGroupSnapshot {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseVolumeGroupSnapshot();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.groupSnapshotId = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.snapshots.push(Snapshot.decode(reader, reader.uint32()));
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.creationTime = fromTimestamp(Timestamp.decode(reader, reader.uint32()));
            continue;
          }
          case 4: {
            if (tag !== 32) {
              break;
            }

            message.readyToUse = reader.bool();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<VolumeGroupSnapshot>): VolumeGroupSnapshot {
    return VolumeGroupSnapshot.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<VolumeGroupSnapshot>): VolumeGroupSnapshot {
    const message = createBaseVolumeGroupSnapshot();
    message.groupSnapshotId = object.groupSnapshotId ?? "";
    message.snapshots = object.snapshots?.map((e) => Snapshot.fromPartial(e)) || [];
    message.creationTime = object.creationTime ?? undefined;
    message.readyToUse = object.readyToUse ?? false;
    return message;
  },
};

function createBaseDeleteVolumeGroupSnapshotRequest(): DeleteVolumeGroupSnapshotRequest {
  return { groupSnapshotId: "", snapshotIds: [], secrets: {} };
}

export const DeleteVolumeGroupSnapshotRequest: MessageFns<DeleteVolumeGroupSnapshotRequest> = {
  encode(message: DeleteVolumeGroupSnapshotRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.groupSnapshotId !== "") {
      writer.uint32(10).string(message.groupSnapshotId);
    }
    for (const v of message.snapshotIds) {
      writer.uint32(18).string(v!);
    }
    globalThis.Object.entries(message.secrets).forEach(([key, value]: [string, string]) => {
      DeleteVolumeGroupSnapshotRequest_SecretsEntry.encode({ key: key as any, value }, writer.uint32(26).fork()).join();
    });
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): DeleteVolumeGroupSnapshotRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseDeleteVolumeGroupSnapshotRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.groupSnapshotId = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.snapshotIds.push(reader.string());
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            const entry3 = DeleteVolumeGroupSnapshotRequest_SecretsEntry.decode(reader, reader.uint32());
            if (entry3.value !== undefined) {
              message.secrets[entry3.key] = entry3.value;
            }
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<DeleteVolumeGroupSnapshotRequest>): DeleteVolumeGroupSnapshotRequest {
    return DeleteVolumeGroupSnapshotRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<DeleteVolumeGroupSnapshotRequest>): DeleteVolumeGroupSnapshotRequest {
    const message = createBaseDeleteVolumeGroupSnapshotRequest();
    message.groupSnapshotId = object.groupSnapshotId ?? "";
    message.snapshotIds = object.snapshotIds?.map((e) => e) || [];
    message.secrets = (globalThis.Object.entries(object.secrets ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    return message;
  },
};

function createBaseDeleteVolumeGroupSnapshotRequest_SecretsEntry(): DeleteVolumeGroupSnapshotRequest_SecretsEntry {
  return { key: "", value: "" };
}

export const DeleteVolumeGroupSnapshotRequest_SecretsEntry: MessageFns<DeleteVolumeGroupSnapshotRequest_SecretsEntry> =
  {
    encode(
      message: DeleteVolumeGroupSnapshotRequest_SecretsEntry,
      writer: BinaryWriter = new BinaryWriter(),
    ): BinaryWriter {
      if (message.key !== "") {
        writer.uint32(10).string(message.key);
      }
      if (message.value !== "") {
        writer.uint32(18).string(message.value);
      }
      return writer;
    },

    decode(input: BinaryReader | Uint8Array, length?: number): DeleteVolumeGroupSnapshotRequest_SecretsEntry {
      const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
      const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
      if (previousRecursionDepth >= 100) {
        throw new globalThis.Error("protobuf decode recursion limit exceeded");
      }
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
      try {
        const end = length === undefined ? reader.len : reader.pos + length;
        const message = createBaseDeleteVolumeGroupSnapshotRequest_SecretsEntry();
        while (reader.pos < end) {
          const tag = reader.uint32();
          switch (tag >>> 3) {
            case 1: {
              if (tag !== 10) {
                break;
              }

              message.key = reader.string();
              continue;
            }
            case 2: {
              if (tag !== 18) {
                break;
              }

              message.value = reader.string();
              continue;
            }
          }
          if ((tag & 7) === 4 || tag === 0) {
            break;
          }
          reader.skip(tag & 7);
        }
        return message;
      } finally {
        (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
      }
    },

    create(
      base?: DeepPartial<DeleteVolumeGroupSnapshotRequest_SecretsEntry>,
    ): DeleteVolumeGroupSnapshotRequest_SecretsEntry {
      return DeleteVolumeGroupSnapshotRequest_SecretsEntry.fromPartial(base ?? {});
    },
    fromPartial(
      object: DeepPartial<DeleteVolumeGroupSnapshotRequest_SecretsEntry>,
    ): DeleteVolumeGroupSnapshotRequest_SecretsEntry {
      const message = createBaseDeleteVolumeGroupSnapshotRequest_SecretsEntry();
      message.key = object.key ?? "";
      message.value = object.value ?? "";
      return message;
    },
  };

function createBaseDeleteVolumeGroupSnapshotResponse(): DeleteVolumeGroupSnapshotResponse {
  return {};
}

export const DeleteVolumeGroupSnapshotResponse: MessageFns<DeleteVolumeGroupSnapshotResponse> = {
  encode(_: DeleteVolumeGroupSnapshotResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): DeleteVolumeGroupSnapshotResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseDeleteVolumeGroupSnapshotResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<DeleteVolumeGroupSnapshotResponse>): DeleteVolumeGroupSnapshotResponse {
    return DeleteVolumeGroupSnapshotResponse.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<DeleteVolumeGroupSnapshotResponse>): DeleteVolumeGroupSnapshotResponse {
    const message = createBaseDeleteVolumeGroupSnapshotResponse();
    return message;
  },
};

function createBaseGetVolumeGroupSnapshotRequest(): GetVolumeGroupSnapshotRequest {
  return { groupSnapshotId: "", snapshotIds: [], secrets: {} };
}

export const GetVolumeGroupSnapshotRequest: MessageFns<GetVolumeGroupSnapshotRequest> = {
  encode(message: GetVolumeGroupSnapshotRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.groupSnapshotId !== "") {
      writer.uint32(10).string(message.groupSnapshotId);
    }
    for (const v of message.snapshotIds) {
      writer.uint32(18).string(v!);
    }
    globalThis.Object.entries(message.secrets).forEach(([key, value]: [string, string]) => {
      GetVolumeGroupSnapshotRequest_SecretsEntry.encode({ key: key as any, value }, writer.uint32(26).fork()).join();
    });
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): GetVolumeGroupSnapshotRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseGetVolumeGroupSnapshotRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.groupSnapshotId = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.snapshotIds.push(reader.string());
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            const entry3 = GetVolumeGroupSnapshotRequest_SecretsEntry.decode(reader, reader.uint32());
            if (entry3.value !== undefined) {
              message.secrets[entry3.key] = entry3.value;
            }
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<GetVolumeGroupSnapshotRequest>): GetVolumeGroupSnapshotRequest {
    return GetVolumeGroupSnapshotRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<GetVolumeGroupSnapshotRequest>): GetVolumeGroupSnapshotRequest {
    const message = createBaseGetVolumeGroupSnapshotRequest();
    message.groupSnapshotId = object.groupSnapshotId ?? "";
    message.snapshotIds = object.snapshotIds?.map((e) => e) || [];
    message.secrets = (globalThis.Object.entries(object.secrets ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    return message;
  },
};

function createBaseGetVolumeGroupSnapshotRequest_SecretsEntry(): GetVolumeGroupSnapshotRequest_SecretsEntry {
  return { key: "", value: "" };
}

export const GetVolumeGroupSnapshotRequest_SecretsEntry: MessageFns<GetVolumeGroupSnapshotRequest_SecretsEntry> = {
  encode(message: GetVolumeGroupSnapshotRequest_SecretsEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): GetVolumeGroupSnapshotRequest_SecretsEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseGetVolumeGroupSnapshotRequest_SecretsEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<GetVolumeGroupSnapshotRequest_SecretsEntry>): GetVolumeGroupSnapshotRequest_SecretsEntry {
    return GetVolumeGroupSnapshotRequest_SecretsEntry.fromPartial(base ?? {});
  },
  fromPartial(
    object: DeepPartial<GetVolumeGroupSnapshotRequest_SecretsEntry>,
  ): GetVolumeGroupSnapshotRequest_SecretsEntry {
    const message = createBaseGetVolumeGroupSnapshotRequest_SecretsEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseGetVolumeGroupSnapshotResponse(): GetVolumeGroupSnapshotResponse {
  return { groupSnapshot: undefined };
}

export const GetVolumeGroupSnapshotResponse: MessageFns<GetVolumeGroupSnapshotResponse> = {
  encode(message: GetVolumeGroupSnapshotResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.groupSnapshot !== undefined) {
      VolumeGroupSnapshot.encode(message.groupSnapshot, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): GetVolumeGroupSnapshotResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseGetVolumeGroupSnapshotResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.groupSnapshot = VolumeGroupSnapshot.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<GetVolumeGroupSnapshotResponse>): GetVolumeGroupSnapshotResponse {
    return GetVolumeGroupSnapshotResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<GetVolumeGroupSnapshotResponse>): GetVolumeGroupSnapshotResponse {
    const message = createBaseGetVolumeGroupSnapshotResponse();
    message.groupSnapshot = (object.groupSnapshot !== undefined && object.groupSnapshot !== null)
      ? VolumeGroupSnapshot.fromPartial(object.groupSnapshot)
      : undefined;
    return message;
  },
};

export type IdentityDefinition = typeof IdentityDefinition;
export const IdentityDefinition = {
  name: "Identity",
  fullName: "csi.v1.Identity",
  methods: {
    getPluginInfo: {
      name: "GetPluginInfo",
      requestType: GetPluginInfoRequest as typeof GetPluginInfoRequest,
      requestStream: false,
      responseType: GetPluginInfoResponse as typeof GetPluginInfoResponse,
      responseStream: false,
      options: {},
    },
    getPluginCapabilities: {
      name: "GetPluginCapabilities",
      requestType: GetPluginCapabilitiesRequest as typeof GetPluginCapabilitiesRequest,
      requestStream: false,
      responseType: GetPluginCapabilitiesResponse as typeof GetPluginCapabilitiesResponse,
      responseStream: false,
      options: {},
    },
    probe: {
      name: "Probe",
      requestType: ProbeRequest as typeof ProbeRequest,
      requestStream: false,
      responseType: ProbeResponse as typeof ProbeResponse,
      responseStream: false,
      options: {},
    },
  },
} as const;

export type ControllerDefinition = typeof ControllerDefinition;
export const ControllerDefinition = {
  name: "Controller",
  fullName: "csi.v1.Controller",
  methods: {
    createVolume: {
      name: "CreateVolume",
      requestType: CreateVolumeRequest as typeof CreateVolumeRequest,
      requestStream: false,
      responseType: CreateVolumeResponse as typeof CreateVolumeResponse,
      responseStream: false,
      options: {},
    },
    deleteVolume: {
      name: "DeleteVolume",
      requestType: DeleteVolumeRequest as typeof DeleteVolumeRequest,
      requestStream: false,
      responseType: DeleteVolumeResponse as typeof DeleteVolumeResponse,
      responseStream: false,
      options: {},
    },
    controllerPublishVolume: {
      name: "ControllerPublishVolume",
      requestType: ControllerPublishVolumeRequest as typeof ControllerPublishVolumeRequest,
      requestStream: false,
      responseType: ControllerPublishVolumeResponse as typeof ControllerPublishVolumeResponse,
      responseStream: false,
      options: {},
    },
    controllerUnpublishVolume: {
      name: "ControllerUnpublishVolume",
      requestType: ControllerUnpublishVolumeRequest as typeof ControllerUnpublishVolumeRequest,
      requestStream: false,
      responseType: ControllerUnpublishVolumeResponse as typeof ControllerUnpublishVolumeResponse,
      responseStream: false,
      options: {},
    },
    validateVolumeCapabilities: {
      name: "ValidateVolumeCapabilities",
      requestType: ValidateVolumeCapabilitiesRequest as typeof ValidateVolumeCapabilitiesRequest,
      requestStream: false,
      responseType: ValidateVolumeCapabilitiesResponse as typeof ValidateVolumeCapabilitiesResponse,
      responseStream: false,
      options: {},
    },
    listVolumes: {
      name: "ListVolumes",
      requestType: ListVolumesRequest as typeof ListVolumesRequest,
      requestStream: false,
      responseType: ListVolumesResponse as typeof ListVolumesResponse,
      responseStream: false,
      options: {},
    },
    getCapacity: {
      name: "GetCapacity",
      requestType: GetCapacityRequest as typeof GetCapacityRequest,
      requestStream: false,
      responseType: GetCapacityResponse as typeof GetCapacityResponse,
      responseStream: false,
      options: {},
    },
    controllerGetCapabilities: {
      name: "ControllerGetCapabilities",
      requestType: ControllerGetCapabilitiesRequest as typeof ControllerGetCapabilitiesRequest,
      requestStream: false,
      responseType: ControllerGetCapabilitiesResponse as typeof ControllerGetCapabilitiesResponse,
      responseStream: false,
      options: {},
    },
    createSnapshot: {
      name: "CreateSnapshot",
      requestType: CreateSnapshotRequest as typeof CreateSnapshotRequest,
      requestStream: false,
      responseType: CreateSnapshotResponse as typeof CreateSnapshotResponse,
      responseStream: false,
      options: {},
    },
    deleteSnapshot: {
      name: "DeleteSnapshot",
      requestType: DeleteSnapshotRequest as typeof DeleteSnapshotRequest,
      requestStream: false,
      responseType: DeleteSnapshotResponse as typeof DeleteSnapshotResponse,
      responseStream: false,
      options: {},
    },
    listSnapshots: {
      name: "ListSnapshots",
      requestType: ListSnapshotsRequest as typeof ListSnapshotsRequest,
      requestStream: false,
      responseType: ListSnapshotsResponse as typeof ListSnapshotsResponse,
      responseStream: false,
      options: {},
    },
    controllerExpandVolume: {
      name: "ControllerExpandVolume",
      requestType: ControllerExpandVolumeRequest as typeof ControllerExpandVolumeRequest,
      requestStream: false,
      responseType: ControllerExpandVolumeResponse as typeof ControllerExpandVolumeResponse,
      responseStream: false,
      options: {},
    },
    controllerGetVolume: {
      name: "ControllerGetVolume",
      requestType: ControllerGetVolumeRequest as typeof ControllerGetVolumeRequest,
      requestStream: false,
      responseType: ControllerGetVolumeResponse as typeof ControllerGetVolumeResponse,
      responseStream: false,
      options: { _unknownFields: { 8480: [Buffer.from([1]) as Buffer] } },
    },
    controllerModifyVolume: {
      name: "ControllerModifyVolume",
      requestType: ControllerModifyVolumeRequest as typeof ControllerModifyVolumeRequest,
      requestStream: false,
      responseType: ControllerModifyVolumeResponse as typeof ControllerModifyVolumeResponse,
      responseStream: false,
      options: { _unknownFields: { 8480: [Buffer.from([1]) as Buffer] } },
    },
  },
} as const;

export type GroupControllerDefinition = typeof GroupControllerDefinition;
export const GroupControllerDefinition = {
  name: "GroupController",
  fullName: "csi.v1.GroupController",
  methods: {
    groupControllerGetCapabilities: {
      name: "GroupControllerGetCapabilities",
      requestType: GroupControllerGetCapabilitiesRequest as typeof GroupControllerGetCapabilitiesRequest,
      requestStream: false,
      responseType: GroupControllerGetCapabilitiesResponse as typeof GroupControllerGetCapabilitiesResponse,
      responseStream: false,
      options: {},
    },
    createVolumeGroupSnapshot: {
      name: "CreateVolumeGroupSnapshot",
      requestType: CreateVolumeGroupSnapshotRequest as typeof CreateVolumeGroupSnapshotRequest,
      requestStream: false,
      responseType: CreateVolumeGroupSnapshotResponse as typeof CreateVolumeGroupSnapshotResponse,
      responseStream: false,
      options: { _unknownFields: { 8480: [Buffer.from([1]) as Buffer] } },
    },
    deleteVolumeGroupSnapshot: {
      name: "DeleteVolumeGroupSnapshot",
      requestType: DeleteVolumeGroupSnapshotRequest as typeof DeleteVolumeGroupSnapshotRequest,
      requestStream: false,
      responseType: DeleteVolumeGroupSnapshotResponse as typeof DeleteVolumeGroupSnapshotResponse,
      responseStream: false,
      options: { _unknownFields: { 8480: [Buffer.from([1]) as Buffer] } },
    },
    getVolumeGroupSnapshot: {
      name: "GetVolumeGroupSnapshot",
      requestType: GetVolumeGroupSnapshotRequest as typeof GetVolumeGroupSnapshotRequest,
      requestStream: false,
      responseType: GetVolumeGroupSnapshotResponse as typeof GetVolumeGroupSnapshotResponse,
      responseStream: false,
      options: { _unknownFields: { 8480: [Buffer.from([1]) as Buffer] } },
    },
  },
} as const;

export type NodeDefinition = typeof NodeDefinition;
export const NodeDefinition = {
  name: "Node",
  fullName: "csi.v1.Node",
  methods: {
    nodeStageVolume: {
      name: "NodeStageVolume",
      requestType: NodeStageVolumeRequest as typeof NodeStageVolumeRequest,
      requestStream: false,
      responseType: NodeStageVolumeResponse as typeof NodeStageVolumeResponse,
      responseStream: false,
      options: {},
    },
    nodeUnstageVolume: {
      name: "NodeUnstageVolume",
      requestType: NodeUnstageVolumeRequest as typeof NodeUnstageVolumeRequest,
      requestStream: false,
      responseType: NodeUnstageVolumeResponse as typeof NodeUnstageVolumeResponse,
      responseStream: false,
      options: {},
    },
    nodePublishVolume: {
      name: "NodePublishVolume",
      requestType: NodePublishVolumeRequest as typeof NodePublishVolumeRequest,
      requestStream: false,
      responseType: NodePublishVolumeResponse as typeof NodePublishVolumeResponse,
      responseStream: false,
      options: {},
    },
    nodeUnpublishVolume: {
      name: "NodeUnpublishVolume",
      requestType: NodeUnpublishVolumeRequest as typeof NodeUnpublishVolumeRequest,
      requestStream: false,
      responseType: NodeUnpublishVolumeResponse as typeof NodeUnpublishVolumeResponse,
      responseStream: false,
      options: {},
    },
    nodeGetVolumeStats: {
      name: "NodeGetVolumeStats",
      requestType: NodeGetVolumeStatsRequest as typeof NodeGetVolumeStatsRequest,
      requestStream: false,
      responseType: NodeGetVolumeStatsResponse as typeof NodeGetVolumeStatsResponse,
      responseStream: false,
      options: {},
    },
    nodeExpandVolume: {
      name: "NodeExpandVolume",
      requestType: NodeExpandVolumeRequest as typeof NodeExpandVolumeRequest,
      requestStream: false,
      responseType: NodeExpandVolumeResponse as typeof NodeExpandVolumeResponse,
      responseStream: false,
      options: {},
    },
    nodeGetCapabilities: {
      name: "NodeGetCapabilities",
      requestType: NodeGetCapabilitiesRequest as typeof NodeGetCapabilitiesRequest,
      requestStream: false,
      responseType: NodeGetCapabilitiesResponse as typeof NodeGetCapabilitiesResponse,
      responseStream: false,
      options: {},
    },
    nodeGetInfo: {
      name: "NodeGetInfo",
      requestType: NodeGetInfoRequest as typeof NodeGetInfoRequest,
      requestStream: false,
      responseType: NodeGetInfoResponse as typeof NodeGetInfoResponse,
      responseStream: false,
      options: {},
    },
  },
} as const;

type Builtin = Date | Function | Uint8Array | string | number | boolean | undefined;

export type DeepPartial<T> = T extends Builtin ? T
  : T extends globalThis.Array<infer U> ? globalThis.Array<DeepPartial<U>>
  : T extends ReadonlyArray<infer U> ? ReadonlyArray<DeepPartial<U>>
  : T extends {} ? { [K in keyof T]?: DeepPartial<T[K]> }
  : Partial<T>;

function toTimestamp(date: Date): Timestamp {
  const seconds = Math.trunc(date.getTime() / 1_000);
  const nanos = (date.getTime() % 1_000) * 1_000_000;
  return { seconds, nanos };
}

function fromTimestamp(t: Timestamp): Date {
  let millis = (t.seconds || 0) * 1_000;
  millis += (t.nanos || 0) / 1_000_000;
  return new globalThis.Date(millis);
}

function longToNumber(int64: { toString(): string }): number {
  const num = globalThis.Number(int64.toString());
  if (num > globalThis.Number.MAX_SAFE_INTEGER) {
    throw new globalThis.Error("Value is larger than Number.MAX_SAFE_INTEGER");
  }
  if (num < globalThis.Number.MIN_SAFE_INTEGER) {
    throw new globalThis.Error("Value is smaller than Number.MIN_SAFE_INTEGER");
  }
  return num;
}

export interface MessageFns<T> {
  encode(message: T, writer?: BinaryWriter): BinaryWriter;
  decode(input: BinaryReader | Uint8Array, length?: number): T;
  create(base?: DeepPartial<T>): T;
  fromPartial(object: DeepPartial<T>): T;
}
