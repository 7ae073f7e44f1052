import { MessagesService } from '@agentflow/core';
import { Module } from '@nestjs/common';
import { MessagesController } from './messages.controller.js';

@Module({ controllers: [MessagesController], providers: [MessagesService] })
export class MessagesModule {}
