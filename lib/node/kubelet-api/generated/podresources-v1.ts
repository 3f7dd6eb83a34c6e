// Written by `npm run generate:grpc`.
import { BinaryReader, BinaryWriter } from "@bufbuild/protobuf/wire";

export interface AllocatableResourcesRequest {
}

export interface AllocatableResourcesResponse {
  devices: ContainerDevices[];
  cpuIds: number[];
  memory: ContainerMemory[];
}

export interface ListPodResourcesRequest {
}

export interface ListPodResourcesResponse {
  podResources: PodResources[];
}

export interface PodResources {
  name: string;
  namespace: string;
  containers: ContainerResources[];
}

export interface ContainerResources {
  name: string;
  devices: ContainerDevices[];
  cpuIds: number[];
  memory: ContainerMemory[];
  dynamicResources: DynamicResource[];
}

export interface ContainerMemory {
  memoryType: string;
  size: number;
  topology: TopologyInfo | undefined;
}

export interface ContainerDevices {
  resourceName: string;
  deviceIds: string[];
  topology: TopologyInfo | undefined;
}

export interface TopologyInfo {
  nodes: NUMANode[];
}

export interface NUMANode {
  ID: number;
}

export interface DynamicResource {
  claimName: string;
  claimNamespace: string;
  claimResources: ClaimResource[];
}

export interface ClaimResource {
  cdiDevices: CDIDevice[];
  driverName: string;
  poolName: string;
  deviceName: string;
  shareId?: string | undefined;
}

export interface CDIDevice {
  name: string;
}

export interface GetPodResourcesRequest {
  podName: string;
  podNamespace: string;
}

export interface GetPodResourcesResponse {
  podResources: PodResources | undefined;
}

function createBaseAllocatableResourcesRequest(): AllocatableResourcesRequest {
  return {};
}

export const AllocatableResourcesRequest: MessageFns<AllocatableResourcesRequest> = {
  encode(_: AllocatableResourcesRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): AllocatableResourcesRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseAllocatableResourcesRequest();
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

  create(base?: DeepPartial<AllocatableResourcesRequest>): AllocatableResourcesRequest {
    return AllocatableResourcesRequest.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<AllocatableResourcesRequest>): AllocatableResourcesRequest {
    const message = createBaseAllocatableResourcesRequest();
    return message;
  },
};

function createBaseAllocatableResourcesResponse(): AllocatableResourcesResponse {
  return { devices: [], cpuIds: [], memory: [] };
}

export const AllocatableResourcesResponse: MessageFns<AllocatableResourcesResponse> = {
  encode(message: AllocatableResourcesResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.devices) {
      ContainerDevices.encode(v!, writer.uint32(10).fork()).join();
    }
    if (message.cpuIds.length !== 0) {
      writer.uint32(18).fork();
      for (const v of message.cpuIds) {
        writer.int64(v);
      }
      writer.join();
    }
    for (const v of message.memory) {
      ContainerMemory.encode(v!, writer.uint32(26).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): AllocatableResourcesResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseAllocatableResourcesResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.devices.push(ContainerDevices.decode(reader, reader.uint32()));
            continue;
          }
          case 2: {
            if (tag === 16) {
              message.cpuIds.push(longToNumber(reader.int64()));

              continue;
            }

            if (tag === 18) {
              const end2 = reader.uint32() + reader.pos;
              while (reader.pos < end2) {
                message.cpuIds.push(longToNumber(reader.int64()));
              }

              continue;
            }

            break;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.memory.push(ContainerMemory.decode(reader, reader.uint32()));
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

  create(base?: DeepPartial<AllocatableResourcesResponse>): AllocatableResourcesResponse {
    return AllocatableResourcesResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<AllocatableResourcesResponse>): AllocatableResourcesResponse {
    const message = createBaseAllocatableResourcesResponse();
    message.devices = object.devices?.map((e) => ContainerDevices.fromPartial(e)) || [];
    message.cpuIds = object.cpuIds?.map((e) => e) || [];
    message.memory = object.memory?.map((e) => ContainerMemory.fromPartial(e)) || [];
    return message;
  },
};

function createBaseListPodResourcesRequest(): ListPodResourcesRequest {
  return {};
}

export const ListPodResourcesRequest: MessageFns<ListPodResourcesRequest> = {
  encode(_: ListPodResourcesRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ListPodResourcesRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseListPodResourcesRequest();
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

  create(base?: DeepPartial<ListPodResourcesRequest>): ListPodResourcesRequest {
    return ListPodResourcesRequest.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<ListPodResourcesRequest>): ListPodResourcesRequest {
    const message = createBaseListPodResourcesRequest();
    return message;
  },
};

function createBaseListPodResourcesResponse(): ListPodResourcesResponse {
  return { podResources: [] };
}

export const ListPodResourcesResponse: MessageFns<ListPodResourcesResponse> = {
  encode(message: ListPodResourcesResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.podResources) {
      PodResources.encode(v!, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ListPodResourcesResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseListPodResourcesResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.podResources.push(PodResources.decode(reader, reader.uint32()));
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

  create(base?: DeepPartial<ListPodResourcesResponse>): ListPodResourcesResponse {
    return ListPodResourcesResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ListPodResourcesResponse>): ListPodResourcesResponse {
    const message = createBaseListPodResourcesResponse();
    message.podResources = object.podResources?.map((e) => PodResources.fromPartial(e)) || [];
    return message;
  },
};

function createBasePodResources(): PodResources {
  return { name: "", namespace: "", containers: [] };
}

export const PodResources: MessageFns<PodResources> = {
  encode(message: PodResources, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.name !== "") {
      writer.uint32(10).string(message.name);
    }
    if (message.namespace !== "") {
      writer.uint32(18).string(message.namespace);
    }
    for (const v of message.containers) {
      ContainerResources.encode(v!, writer.uint32(26).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): PodResources {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBasePodResources();
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

            message.namespace = reader.string();
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.containers.push(ContainerResources.decode(reader, reader.uint32()));
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

  create(base?: DeepPartial<PodResources>): PodResources {
    return PodResources.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<PodResources>): PodResources {
    const message = createBasePodResources();
    message.name = object.name ?? "";
    message.namespace = object.namespace ?? "";
    message.containers = object.containers?.map((e) => ContainerResources.fromPartial(e)) || [];
    return message;
  },
};

function createBaseContainerResources(): ContainerResources {
  return { name: "", devices: [], cpuIds: [], memory: [], dynamicResources: [] };
}

export const ContainerResources: MessageFns<ContainerResources> = {
  encode(message: ContainerResources, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.name !== "") {
      writer.uint32(10).string(message.name);
    }
    for (const v of message.devices) {
      ContainerDevices.encode(v!, writer.uint32(18).fork()).join();
    }
    if (message.cpuIds.length !== 0) {
      writer.uint32(26).fork();
      for (const v of message.cpuIds) {
        writer.int64(v);
      }
      writer.join();
    }
    for (const v of message.memory) {
      ContainerMemory.encode(v!, writer.uint32(34).fork()).join();
    }
    for (const v of message.dynamicResources) {
      DynamicResource.encode(v!, writer.uint32(42).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ContainerResources {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseContainerResources();
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

            message.devices.push(ContainerDevices.decode(reader, reader.uint32()));
            continue;
          }
          case 3: {
            if (tag === 24) {
              message.cpuIds.push(longToNumber(reader.int64()));

              continue;
            }

            if (tag === 26) {
              const end2 = reader.uint32() + reader.pos;
              while (reader.pos < end2) {
                message.cpuIds.push(longToNumber(reader.int64()));
              }

              continue;
            }

            break;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            message.memory.push(ContainerMemory.decode(reader, reader.uint32()));
            continue;
          }
          case 5: {
            if (tag !== 42) {
              break;
            }

            message.dynamicResources.push(DynamicResource.decode(reader, reader.uint32()));
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

  create(base?: DeepPartial<ContainerResources>): ContainerResources {
    return ContainerResources.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ContainerResources>): ContainerResources {
    const message = createBaseContainerResources();
    message.name = object.name ?? "";
    message.devices = object.devices?.map((e) => ContainerDevices.fromPartial(e)) || [];
    message.cpuIds = object.cpuIds?.map((e) => e) || [];
    message.memory = object.memory?.map((e) => ContainerMemory.fromPartial(e)) || [];
    message.dynamicResources = object.dynamicResources?.map((e) => DynamicResource.fromPartial(e)) || [];
    return message;
  },
};

function createBaseContainerMemory(): ContainerMemory {
  return { memoryType: "", size: 0, topology: undefined };
}

export const ContainerMemory: MessageFns<ContainerMemory> = {
  encode(message: ContainerMemory, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.memoryType !== "") {
      writer.uint32(10).string(message.memoryType);
    }
    if (message.size !== 0) {
      writer.uint32(16).uint64(message.size);
    }
    if (message.topology !== undefined) {
      TopologyInfo.encode(message.topology, writer.uint32(26).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ContainerMemory {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseContainerMemory();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.memoryType = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 16) {
              break;
            }

            message.size = longToNumber(reader.uint64());
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.topology = TopologyInfo.decode(reader, reader.uint32());
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

  create(base?: DeepPartial<ContainerMemory>): ContainerMemory {
    return ContainerMemory.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ContainerMemory>): ContainerMemory {
    const message = createBaseContainerMemory();
    message.memoryType = object.memoryType ?? "";
    message.size = object.size ?? 0;
    message.topology = (object.topology !== undefined && object.topology !== null)
      ? TopologyInfo.fromPartial(object.topology)
      : undefined;
    return message;
  },
};

function createBaseContainerDevices(): ContainerDevices {
  return { resourceName: "", deviceIds: [], topology: undefined };
}

export const ContainerDevices: MessageFns<ContainerDevices> = {
  encode(message: ContainerDevices, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.resourceName !== "") {
      writer.uint32(10).string(message.resourceName);
    }
    for (const v of message.deviceIds) {
      writer.uint32(18).string(v!);
    }
    if (message.topology !== undefined) {
      TopologyInfo.encode(message.topology, writer.uint32(26).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ContainerDevices {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseContainerDevices();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.resourceName = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.deviceIds.push(reader.string());
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.topology = TopologyInfo.decode(reader, reader.uint32());
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

  create(base?: DeepPartial<ContainerDevices>): ContainerDevices {
    return ContainerDevices.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ContainerDevices>): ContainerDevices {
    const message = createBaseContainerDevices();
    message.resourceName = object.resourceName ?? "";
    message.deviceIds = object.deviceIds?.map((e) => e) || [];
    message.topology = (object.topology !== undefined && object.topology !== null)
      ? TopologyInfo.fromPartial(object.topology)
      : undefined;
    return message;
  },
};

function createBaseTopologyInfo(): TopologyInfo {
  return { nodes: [] };
}

export const TopologyInfo: MessageFns<TopologyInfo> = {
  encode(message: TopologyInfo, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.nodes) {
      NUMANode.encode(v!, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): TopologyInfo {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseTopologyInfo();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.nodes.push(NUMANode.decode(reader, reader.uint32()));
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

  create(base?: DeepPartial<TopologyInfo>): TopologyInfo {
    return TopologyInfo.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<TopologyInfo>): TopologyInfo {
    const message = createBaseTopologyInfo();
    message.nodes = object.nodes?.map((e) => NUMANode.fromPartial(e)) || [];
    return message;
  },
};

function createBaseNUMANode(): NUMANode {
  return { ID: 0 };
}

export const NUMANode: MessageFns<NUMANode> = {
  encode(message: NUMANode, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.ID !== 0) {
      writer.uint32(8).int64(message.ID);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): NUMANode {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseNUMANode();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.ID = longToNumber(reader.int64());
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

  create(base?: DeepPartial<NUMANode>): NUMANode {
    return NUMANode.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<NUMANode>): NUMANode {
    const message = createBaseNUMANode();
    message.ID = object.ID ?? 0;
    return message;
  },
};

function createBaseDynamicResource(): DynamicResource {
  return { claimName: "", claimNamespace: "", claimResources: [] };
}

export const DynamicResource: MessageFns<DynamicResource> = {
  encode(message: DynamicResource, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.claimName !== "") {
      writer.uint32(18).string(message.claimName);
    }
    if (message.claimNamespace !== "") {
      writer.uint32(26).string(message.claimNamespace);
    }
    for (const v of message.claimResources) {
      ClaimResource.encode(v!, writer.uint32(34).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): DynamicResource {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseDynamicResource();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.claimName = reader.string();
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.claimNamespace = reader.string();
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            message.claimResources.push(ClaimResource.decode(reader, reader.uint32()));
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

  create(base?: DeepPartial<DynamicResource>): DynamicResource {
    return DynamicResource.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<DynamicResource>): DynamicResource {
    const message = createBaseDynamicResource();
    message.claimName = object.claimName ?? "";
    message.claimNamespace = object.claimNamespace ?? "";
    message.claimResources = object.claimResources?.map((e) => ClaimResource.fromPartial(e)) || [];
    return message;
  },
};

function createBaseClaimResource(): ClaimResource {
  return { cdiDevices: [], driverName: "", poolName: "", deviceName: "", shareId: undefined };
}

export const ClaimResource: MessageFns<ClaimResource> = {
  encode(message: ClaimResource, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.cdiDevices) {
      CDIDevice.encode(v!, writer.uint32(10).fork()).join();
    }
    if (message.driverName !== "") {
      writer.uint32(18).string(message.driverName);
    }
    if (message.poolName !== "") {
      writer.uint32(26).string(message.poolName);
    }
    if (message.deviceName !== "") {
      writer.uint32(34).string(message.deviceName);
    }
    if (message.shareId !== undefined) {
      writer.uint32(42).string(message.shareId);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ClaimResource {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseClaimResource();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.cdiDevices.push(CDIDevice.decode(reader, reader.uint32()));
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.driverName = reader.string();
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.poolName = reader.string();
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            message.deviceName = reader.string();
            continue;
          }
          case 5: {
            if (tag !== 42) {
              break;
            }

            message.shareId = reader.string();
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

  create(base?: DeepPartial<ClaimResource>): ClaimResource {
    return ClaimResource.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ClaimResource>): ClaimResource {
    const message = createBaseClaimResource();
    message.cdiDevices = object.cdiDevices?.map((e) => CDIDevice.fromPartial(e)) || [];
    message.driverName = object.driverName ?? "";
    message.poolName = object.poolName ?? "";
    message.deviceName = object.deviceName ?? "";
    message.shareId = object.shareId ?? undefined;
    return message;
  },
};

function createBaseCDIDevice(): CDIDevice {
  return { name: "" };
}

export const CDIDevice: MessageFns<CDIDevice> = {
  encode(message: CDIDevice, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.name !== "") {
      writer.uint32(10).string(message.name);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): CDIDevice {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseCDIDevice();
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

  create(base?: DeepPartial<CDIDevice>): CDIDevice {
    return CDIDevice.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<CDIDevice>): CDIDevice {
    const message = createBaseCDIDevice();
    message.name = object.name ?? "";
    return message;
  },
};

function createBaseGetPodResourcesRequest(): GetPodResourcesRequest {
  return { podName: "", podNamespace: "" };
}

export const GetPodResourcesRequest: MessageFns<GetPodResourcesRequest> = {
  encode(message: GetPodResourcesRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.podName !== "") {
      writer.uint32(10).string(message.podName);
    }
    if (message.podNamespace !== "") {
      writer.uint32(18).string(message.podNamespace);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): GetPodResourcesRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseGetPodResourcesRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.podName = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.podNamespace = reader.string();
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

  create(base?: DeepPartial<GetPodResourcesRequest>): GetPodResourcesRequest {
    return GetPodResourcesRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<GetPodResourcesRequest>): GetPodResourcesRequest {
    const message = createBaseGetPodResourcesRequest();
    message.podName = object.podName ?? "";
    message.podNamespace = object.podNamespace ?? "";
    return message;
  },
};

function createBaseGetPodResourcesResponse(): GetPodResourcesResponse {
  return { podResources: undefined };
}

export const GetPodResourcesResponse: MessageFns<GetPodResourcesResponse> = {
  encode(message: GetPodResourcesResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.podResources !== undefined) {
      PodResources.encode(message.podResources, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): GetPodResourcesResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseGetPodResourcesResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.podResources = PodResources.decode(reader, reader.uint32());
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

  create(base?: DeepPartial<GetPodResourcesResponse>): GetPodResourcesResponse {
    return GetPodResourcesResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<GetPodResourcesResponse>): GetPodResourcesResponse {
    const message = createBaseGetPodResourcesResponse();
    message.podResources = (object.podResources !== undefined && object.podResources !== null)
      ? PodResources.fromPartial(object.podResources)
      : undefined;
    return message;
  },
};

export type PodResourcesListerDefinition = typeof PodResourcesListerDefinition;
export const PodResourcesListerDefinition = {
  name: "PodResourcesLister",
  fullName: "v1.PodResourcesLister",
  methods: {
    list: {
      name: "List",
      requestType: ListPodResourcesRequest as typeof ListPodResourcesRequest,
      requestStream: false,
      responseType: ListPodResourcesResponse as typeof ListPodResourcesResponse,
      responseStream: false,
      options: {},
    },
    getAllocatableResources: {
      name: "GetAllocatableResources",
      requestType: AllocatableResourcesRequest as typeof AllocatableResourcesRequest,
      requestStream: false,
      responseType: AllocatableResourcesResponse as typeof AllocatableResourcesResponse,
      responseStream: false,
      options: {},
    },
    get: {
      name: "Get",
      requestType: GetPodResourcesRequest as typeof GetPodResourcesRequest,
      requestStream: false,
      responseType: GetPodResourcesResponse as typeof GetPodResourcesResponse,
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
