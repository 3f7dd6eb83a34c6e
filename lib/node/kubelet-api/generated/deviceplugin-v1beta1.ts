// Written by `npm run generate:grpc`.
import { BinaryReader, BinaryWriter } from "@bufbuild/protobuf/wire";

export interface DevicePluginOptions {
  preStartRequired: boolean;
  getPreferredAllocationAvailable: boolean;
}

export interface RegisterRequest {
  version: string;
  endpoint: string;
  resourceName: string;
  options: DevicePluginOptions | undefined;
}

export interface Empty {
}

export interface ListAndWatchResponse {
  devices: Device[];
}

export interface TopologyInfo {
  nodes: NUMANode[];
}

export interface NUMANode {
  ID: number;
}

export interface Device {
  ID: string;
  health: string;
  topology: TopologyInfo | undefined;
}

export interface PreStartContainerRequest {
  devicesIds: string[];
}

export interface PreStartContainerResponse {
}

export interface PreferredAllocationRequest {
  containerRequests: ContainerPreferredAllocationRequest[];
}

export interface ContainerPreferredAllocationRequest {
  availableDeviceIDs: string[];
  mustIncludeDeviceIDs: string[];
  allocationSize: number;
}

export interface PreferredAllocationResponse {
  containerResponses: ContainerPreferredAllocationResponse[];
}

export interface ContainerPreferredAllocationResponse {
  deviceIDs: string[];
}

export interface AllocateRequest {
  containerRequests: ContainerAllocateRequest[];
}

export interface ContainerAllocateRequest {
  devicesIds: string[];
}

export interface CDIDevice {
  name: string;
}

export interface AllocateResponse {
  containerResponses: ContainerAllocateResponse[];
}

export interface ContainerAllocateResponse {
  envs: { [key: string]: string };
  mounts: Mount[];
  devices: DeviceSpec[];
  annotations: { [key: string]: string };
  cdiDevices: CDIDevice[];
}

export interface ContainerAllocateResponse_EnvsEntry {
  key: string;
  value: string;
}

export interface ContainerAllocateResponse_AnnotationsEntry {
  key: string;
  value: string;
}

export interface Mount {
  containerPath: string;
  hostPath: string;
  readOnly: boolean;
}

export interface DeviceSpec {
  containerPath: string;
  hostPath: string;
  permissions: string;
}

function createBaseDevicePluginOptions(): DevicePluginOptions {
  return { preStartRequired: false, getPreferredAllocationAvailable: false };
}

export const DevicePluginOptions: MessageFns<DevicePluginOptions> = {
  encode(message: DevicePluginOptions, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.preStartRequired !== false) {
      writer.uint32(8).bool(message.preStartRequired);
    }
    if (message.getPreferredAllocationAvailable !== false) {
      writer.uint32(16).bool(message.getPreferredAllocationAvailable);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): DevicePluginOptions {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseDevicePluginOptions();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.preStartRequired = reader.bool();
            continue;
          }
          case 2: {
            if (tag !== 16) {
              break;
            }

            message.getPreferredAllocationAvailable = reader.bool();
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

  create(base?: DeepPartial<DevicePluginOptions>): DevicePluginOptions {
    return DevicePluginOptions.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<DevicePluginOptions>): DevicePluginOptions {
    const message = createBaseDevicePluginOptions();
    message.preStartRequired = object.preStartRequired ?? false;
    message.getPreferredAllocationAvailable = object.getPreferredAllocationAvailable ?? false;
    return message;
  },
};

function createBaseRegisterRequest(): RegisterRequest {
  return { version: "", endpoint: "", resourceName: "", options: undefined };
}

export const RegisterRequest: MessageFns<RegisterRequest> = {
  encode(message: RegisterRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.version !== "") {
      writer.uint32(10).string(message.version);
    }
    if (message.endpoint !== "") {
      writer.uint32(18).string(message.endpoint);
    }
    if (message.resourceName !== "") {
      writer.uint32(26).string(message.resourceName);
    }
    if (message.options !== undefined) {
      DevicePluginOptions.encode(message.options, writer.uint32(34).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): RegisterRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseRegisterRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.version = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.endpoint = reader.string();
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.resourceName = reader.string();
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            message.options = DevicePluginOptions.decode(reader, reader.uint32());
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

  create(base?: DeepPartial<RegisterRequest>): RegisterRequest {
    return RegisterRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<RegisterRequest>): RegisterRequest {
    const message = createBaseRegisterRequest();
    message.version = object.version ?? "";
    message.endpoint = object.endpoint ?? "";
    message.resourceName = object.resourceName ?? "";
    message.options = (object.options !== undefined && object.options !== null)
      ? DevicePluginOptions.fromPartial(object.options)
      : undefined;
    return message;
  },
};

function createBaseEmpty(): Empty {
  return {};
}

export const Empty: MessageFns<Empty> = {
  encode(_: Empty, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): Empty {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseEmpty();
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

  create(base?: DeepPartial<Empty>): Empty {
    return Empty.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<Empty>): Empty {
    const message = createBaseEmpty();
    return message;
  },
};

function createBaseListAndWatchResponse(): ListAndWatchResponse {
  return { devices: [] };
}

export const ListAndWatchResponse: MessageFns<ListAndWatchResponse> = {
  encode(message: ListAndWatchResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.devices) {
      Device.encode(v!, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ListAndWatchResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseListAndWatchResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.devices.push(Device.decode(reader, reader.uint32()));
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

  create(base?: DeepPartial<ListAndWatchResponse>): ListAndWatchResponse {
    return ListAndWatchResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ListAndWatchResponse>): ListAndWatchResponse {
    const message = createBaseListAndWatchResponse();
    message.devices = object.devices?.map((e) => Device.fromPartial(e)) || [];
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

function createBaseDevice(): Device {
  return { ID: "", health: "", topology: undefined };
}

export const Device: MessageFns<Device> = {
  encode(message: Device, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.ID !== "") {
      writer.uint32(10).string(message.ID);
    }
    if (message.health !== "") {
      writer.uint32(18).string(message.health);
    }
    if (message.topology !== undefined) {
      TopologyInfo.encode(message.topology, writer.uint32(26).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): Device {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseDevice();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.ID = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.health = reader.string();
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

  create(base?: DeepPartial<Device>): Device {
    return Device.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<Device>): Device {
    const message = createBaseDevice();
    message.ID = object.ID ?? "";
    message.health = object.health ?? "";
    message.topology = (object.topology !== undefined && object.topology !== null)
      ? TopologyInfo.fromPartial(object.topology)
      : undefined;
    return message;
  },
};

function createBasePreStartContainerRequest(): PreStartContainerRequest {
  return { devicesIds: [] };
}

export const PreStartContainerRequest: MessageFns<PreStartContainerRequest> = {
  encode(message: PreStartContainerRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.devicesIds) {
      writer.uint32(10).string(v!);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): PreStartContainerRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBasePreStartContainerRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.devicesIds.push(reader.string());
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

  create(base?: DeepPartial<PreStartContainerRequest>): PreStartContainerRequest {
    return PreStartContainerRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<PreStartContainerRequest>): PreStartContainerRequest {
    const message = createBasePreStartContainerRequest();
    message.devicesIds = object.devicesIds?.map((e) => e) || [];
    return message;
  },
};

function createBasePreStartContainerResponse(): PreStartContainerResponse {
  return {};
}

export const PreStartContainerResponse: MessageFns<PreStartContainerResponse> = {
  encode(_: PreStartContainerResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): PreStartContainerResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBasePreStartContainerResponse();
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

  create(base?: DeepPartial<PreStartContainerResponse>): PreStartContainerResponse {
    return PreStartContainerResponse.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<PreStartContainerResponse>): PreStartContainerResponse {
    const message = createBasePreStartContainerResponse();
    return message;
  },
};

function createBasePreferredAllocationRequest(): PreferredAllocationRequest {
  return { containerRequests: [] };
}

export const PreferredAllocationRequest: MessageFns<PreferredAllocationRequest> = {
  encode(message: PreferredAllocationRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.containerRequests) {
      ContainerPreferredAllocationRequest.encode(v!, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): PreferredAllocationRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBasePreferredAllocationRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.containerRequests.push(ContainerPreferredAllocationRequest.decode(reader, reader.uint32()));
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

  create(base?: DeepPartial<PreferredAllocationRequest>): PreferredAllocationRequest {
    return PreferredAllocationRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<PreferredAllocationRequest>): PreferredAllocationRequest {
    const message = createBasePreferredAllocationRequest();
    message.containerRequests =
      object.containerRequests?.map((e) => ContainerPreferredAllocationRequest.fromPartial(e)) || [];
    return message;
  },
};

function createBaseContainerPreferredAllocationRequest(): ContainerPreferredAllocationRequest {
  return { availableDeviceIDs: [], mustIncludeDeviceIDs: [], allocationSize: 0 };
}

export const ContainerPreferredAllocationRequest: MessageFns<ContainerPreferredAllocationRequest> = {
  encode(message: ContainerPreferredAllocationRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.availableDeviceIDs) {
      writer.uint32(10).string(v!);
    }
    for (const v of message.mustIncludeDeviceIDs) {
      writer.uint32(18).string(v!);
    }
    if (message.allocationSize !== 0) {
      writer.uint32(24).int32(message.allocationSize);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ContainerPreferredAllocationRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseContainerPreferredAllocationRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.availableDeviceIDs.push(reader.string());
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.mustIncludeDeviceIDs.push(reader.string());
            continue;
          }
          case 3: {
            if (tag !== 24) {
              break;
            }

            message.allocationSize = reader.int32();
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

  create(base?: DeepPartial<ContainerPreferredAllocationRequest>): ContainerPreferredAllocationRequest {
    return ContainerPreferredAllocationRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ContainerPreferredAllocationRequest>): ContainerPreferredAllocationRequest {
    const message = createBaseContainerPreferredAllocationRequest();
    message.availableDeviceIDs = object.availableDeviceIDs?.map((e) => e) || [];
    message.mustIncludeDeviceIDs = object.mustIncludeDeviceIDs?.map((e) => e) || [];
    message.allocationSize = object.allocationSize ?? 0;
    return message;
  },
};

function createBasePreferredAllocationResponse(): PreferredAllocationResponse {
  return { containerResponses: [] };
}

export const PreferredAllocationResponse: MessageFns<PreferredAllocationResponse> = {
  encode(message: PreferredAllocationResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.containerResponses) {
      ContainerPreferredAllocationResponse.encode(v!, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): PreferredAllocationResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBasePreferredAllocationResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.containerResponses.push(ContainerPreferredAllocationResponse.decode(reader, reader.uint32()));
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

  create(base?: DeepPartial<PreferredAllocationResponse>): PreferredAllocationResponse {
    return PreferredAllocationResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<PreferredAllocationResponse>): PreferredAllocationResponse {
    const message = createBasePreferredAllocationResponse();
    message.containerResponses =
      object.containerResponses?.map((e) => ContainerPreferredAllocationResponse.fromPartial(e)) || [];
    return message;
  },
};

function createBaseContainerPreferredAllocationResponse(): ContainerPreferredAllocationResponse {
  return { deviceIDs: [] };
}

export const ContainerPreferredAllocationResponse: MessageFns<ContainerPreferredAllocationResponse> = {
  encode(message: ContainerPreferredAllocationResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.deviceIDs) {
      writer.uint32(10).string(v!);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ContainerPreferredAllocationResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseContainerPreferredAllocationResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.deviceIDs.push(reader.string());
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

  create(base?: DeepPartial<ContainerPreferredAllocationResponse>): ContainerPreferredAllocationResponse {
    return ContainerPreferredAllocationResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ContainerPreferredAllocationResponse>): ContainerPreferredAllocationResponse {
    const message = createBaseContainerPreferredAllocationResponse();
    message.deviceIDs = object.deviceIDs?.map((e) => e) || [];
    return message;
  },
};

function createBaseAllocateRequest(): AllocateRequest {
  return { containerRequests: [] };
}

export const AllocateRequest: MessageFns<AllocateRequest> = {
  encode(message: AllocateRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.containerRequests) {
      ContainerAllocateRequest.encode(v!, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): AllocateRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseAllocateRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.containerRequests.push(ContainerAllocateRequest.decode(reader, reader.uint32()));
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

  create(base?: DeepPartial<AllocateRequest>): AllocateRequest {
    return AllocateRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<AllocateRequest>): AllocateRequest {
    const message = createBaseAllocateRequest();
    message.containerRequests = object.containerRequests?.map((e) => ContainerAllocateRequest.fromPartial(e)) || [];
    return message;
  },
};

function createBaseContainerAllocateRequest(): ContainerAllocateRequest {
  return { devicesIds: [] };
}

export const ContainerAllocateRequest: MessageFns<ContainerAllocateRequest> = {
  encode(message: ContainerAllocateRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.devicesIds) {
      writer.uint32(10).string(v!);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ContainerAllocateRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseContainerAllocateRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.devicesIds.push(reader.string());
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

  create(base?: DeepPartial<ContainerAllocateRequest>): ContainerAllocateRequest {
    return ContainerAllocateRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ContainerAllocateRequest>): ContainerAllocateRequest {
    const message = createBaseContainerAllocateRequest();
    message.devicesIds = object.devicesIds?.map((e) => e) || [];
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

function createBaseAllocateResponse(): AllocateResponse {
  return { containerResponses: [] };
}

export const AllocateResponse: MessageFns<AllocateResponse> = {
  encode(message: AllocateResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.containerResponses) {
      ContainerAllocateResponse.encode(v!, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): AllocateResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseAllocateResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.containerResponses.push(ContainerAllocateResponse.decode(reader, reader.uint32()));
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

  create(base?: DeepPartial<AllocateResponse>): AllocateResponse {
    return AllocateResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<AllocateResponse>): AllocateResponse {
    const message = createBaseAllocateResponse();
    message.containerResponses = object.containerResponses?.map((e) => ContainerAllocateResponse.fromPartial(e)) || [];
    return message;
  },
};

function createBaseContainerAllocateResponse(): ContainerAllocateResponse {
  return { envs: {}, mounts: [], devices: [], annotations: {}, cdiDevices: [] };
}

export const ContainerAllocateResponse: MessageFns<ContainerAllocateResponse> = {
  encode(message: ContainerAllocateResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    globalThis.Object.entries(message.envs).forEach(([key, value]: [string, string]) => {
      ContainerAllocateResponse_EnvsEntry.encode({ key: key as any, value }, writer.uint32(10).fork()).join();
    });
    for (const v of message.mounts) {
      Mount.encode(v!, writer.uint32(18).fork()).join();
    }
    for (const v of message.devices) {
      DeviceSpec.encode(v!, writer.uint32(26).fork()).join();
    }
    globalThis.Object.entries(message.annotations).forEach(([key, value]: [string, string]) => {
      ContainerAllocateResponse_AnnotationsEntry.encode({ key: key as any, value }, writer.uint32(34).fork()).join();
    });
    for (const v of message.cdiDevices) {
      CDIDevice.encode(v!, writer.uint32(42).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ContainerAllocateResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseContainerAllocateResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            const entry1 = ContainerAllocateResponse_EnvsEntry.decode(reader, reader.uint32());
            if (entry1.value !== undefined) {
              message.envs[entry1.key] = entry1.value;
            }
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.mounts.push(Mount.decode(reader, reader.uint32()));
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.devices.push(DeviceSpec.decode(reader, reader.uint32()));
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            const entry4 = ContainerAllocateResponse_AnnotationsEntry.decode(reader, reader.uint32());
            if (entry4.value !== undefined) {
              message.annotations[entry4.key] = entry4.value;
            }
            continue;
          }
          case 5: {
            if (tag !== 42) {
              break;
            }

            message.cdiDevices.push(CDIDevice.decode(reader, reader.uint32()));
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

  create(base?: DeepPartial<ContainerAllocateResponse>): ContainerAllocateResponse {
    return ContainerAllocateResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ContainerAllocateResponse>): ContainerAllocateResponse {
    const message = createBaseContainerAllocateResponse();
    message.envs = (globalThis.Object.entries(object.envs ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    message.mounts = object.mounts?.map((e) => Mount.fromPartial(e)) || [];
    message.devices = object.devices?.map((e) => DeviceSpec.fromPartial(e)) || [];
    message.annotations = (globalThis.Object.entries(object.annotations ?? {}) as [string, string][]).reduce(
      (acc: { [key: string]: string }, [key, value]: [string, string]) => {
        if (value !== undefined) {
          acc[key] = globalThis.String(value);
        }
        return acc;
      },
      {},
    );
    message.cdiDevices = object.cdiDevices?.map((e) => CDIDevice.fromPartial(e)) || [];
    return message;
  },
};

function createBaseContainerAllocateResponse_EnvsEntry(): ContainerAllocateResponse_EnvsEntry {
  return { key: "", value: "" };
}

export const ContainerAllocateResponse_EnvsEntry: MessageFns<ContainerAllocateResponse_EnvsEntry> = {
  encode(message: ContainerAllocateResponse_EnvsEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ContainerAllocateResponse_EnvsEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseContainerAllocateResponse_EnvsEntry();
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

  create(base?: DeepPartial<ContainerAllocateResponse_EnvsEntry>): ContainerAllocateResponse_EnvsEntry {
    return ContainerAllocateResponse_EnvsEntry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ContainerAllocateResponse_EnvsEntry>): ContainerAllocateResponse_EnvsEntry {
    const message = createBaseContainerAllocateResponse_EnvsEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseContainerAllocateResponse_AnnotationsEntry(): ContainerAllocateResponse_AnnotationsEntry {
  return { key: "", value: "" };
}

export const ContainerAllocateResponse_AnnotationsEntry: MessageFns<ContainerAllocateResponse_AnnotationsEntry> = {
  encode(message: ContainerAllocateResponse_AnnotationsEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== "") {
      writer.uint32(18).string(message.value);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ContainerAllocateResponse_AnnotationsEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseContainerAllocateResponse_AnnotationsEntry();
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

  create(base?: DeepPartial<ContainerAllocateResponse_AnnotationsEntry>): ContainerAllocateResponse_AnnotationsEntry {
    return ContainerAllocateResponse_AnnotationsEntry.fromPartial(base ?? {});
  },
  fromPartial(
    object: DeepPartial<ContainerAllocateResponse_AnnotationsEntry>,
  ): ContainerAllocateResponse_AnnotationsEntry {
    const message = createBaseContainerAllocateResponse_AnnotationsEntry();
    message.key = object.key ?? "";
    message.value = object.value ?? "";
    return message;
  },
};

function createBaseMount(): Mount {
  return { containerPath: "", hostPath: "", readOnly: false };
}

export const Mount: MessageFns<Mount> = {
  encode(message: Mount, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.containerPath !== "") {
      writer.uint32(10).string(message.containerPath);
    }
    if (message.hostPath !== "") {
      writer.uint32(18).string(message.hostPath);
    }
    if (message.readOnly !== false) {
      writer.uint32(24).bool(message.readOnly);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): Mount {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseMount();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.containerPath = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.hostPath = reader.string();
            continue;
          }
          case 3: {
            if (tag !== 24) {
              break;
            }

            message.readOnly = reader.bool();
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

  create(base?: DeepPartial<Mount>): Mount {
    return Mount.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<Mount>): Mount {
    const message = createBaseMount();
    message.containerPath = object.containerPath ?? "";
    message.hostPath = object.hostPath ?? "";
    message.readOnly = object.readOnly ?? false;
    return message;
  },
};

function createBaseDeviceSpec(): DeviceSpec {
  return { containerPath: "", hostPath: "", permissions: "" };
}

export const DeviceSpec: MessageFns<DeviceSpec> = {
  encode(message: DeviceSpec, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.containerPath !== "") {
      writer.uint32(10).string(message.containerPath);
    }
    if (message.hostPath !== "") {
      writer.uint32(18).string(message.hostPath);
    }
    if (message.permissions !== "") {
      writer.uint32(26).string(message.permissions);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): DeviceSpec {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseDeviceSpec();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.containerPath = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.hostPath = reader.string();
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.permissions = reader.string();
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

  create(base?: DeepPartial<DeviceSpec>): DeviceSpec {
    return DeviceSpec.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<DeviceSpec>): DeviceSpec {
    const message = createBaseDeviceSpec();
    message.containerPath = object.containerPath ?? "";
    message.hostPath = object.hostPath ?? "";
    message.permissions = object.permissions ?? "";
    return message;
  },
};

export type RegistrationDefinition = typeof RegistrationDefinition;
export const RegistrationDefinition = {
  name: "Registration",
  fullName: "v1beta1.Registration",
  methods: {
    register: {
      name: "Register",
      requestType: RegisterRequest as typeof RegisterRequest,
      requestStream: false,
      responseType: Empty as typeof Empty,
      responseStream: false,
      options: {},
    },
  },
} as const;

export type DevicePluginDefinition = typeof DevicePluginDefinition;
export const DevicePluginDefinition = {
  name: "DevicePlugin",
  fullName: "v1beta1.DevicePlugin",
  methods: {
    getDevicePluginOptions: {
      name: "GetDevicePluginOptions",
      requestType: Empty as typeof Empty,
      requestStream: false,
      responseType: DevicePluginOptions as typeof DevicePluginOptions,
      responseStream: false,
      options: {},
    },
    listAndWatch: {
      name: "ListAndWatch",
      requestType: Empty as typeof Empty,
      requestStream: false,
      responseType: ListAndWatchResponse as typeof ListAndWatchResponse,
      responseStream: true,
      options: {},
    },
    getPreferredAllocation: {
      name: "GetPreferredAllocation",
      requestType: PreferredAllocationRequest as typeof PreferredAllocationRequest,
      requestStream: false,
      responseType: PreferredAllocationResponse as typeof PreferredAllocationResponse,
      responseStream: false,
      options: {},
    },
    allocate: {
      name: "Allocate",
      requestType: AllocateRequest as typeof AllocateRequest,
      requestStream: false,
      responseType: AllocateResponse as typeof AllocateResponse,
      responseStream: false,
      options: {},
    },
    preStartContainer: {
      name: "PreStartContainer",
      requestType: PreStartContainerRequest as typeof PreStartContainerRequest,
      requestStream: false,
      responseType: PreStartContainerResponse as typeof PreStartContainerResponse,
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
