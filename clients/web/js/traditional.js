// Chinese as it is written in Taiwan and Hong Kong: made of the page's simplified Chinese, word by word where the words differ (and the quotation marks), else character by
// character. Of the characters that the page's own texts are made of, those that differ are listed, in the same order twice. Where a character stands
// for several others, it is the one that those texts mean.

/** @type {{[word: string]: string}} */
const WORDS = {
  服务器: '伺服器',
  链接: '連結',
  数据: '資料',
  加载: '載入',
  设备: '裝置',
  刷新: '重新整理',
  默认: '預設',
  菜单: '選單',
  在线: '在線上',
  回车: 'Enter',
  游戏: '遊戲',
  周五: '週五',
  准备: '準備',
  复制: '複製',
  消息: '訊息',
  添加到主屏幕: '加入主畫面',
  只鸟: '隻鳥',
  一只: '一隻',
  五只: '五隻',
  '} 只': '} 隻',
  '10 只': '10 隻',
  '13 只': '13 隻',
  重复: '重複',
  复查: '複查',
  '“': '「',
  '”': '」',
  打印: '列印',
  程序: '程式',
  账号: '帳號',
  账户: '帳戶',
  用户名: '使用者名稱',
  窗口: '視窗',
  登录: '登入',
  屏蔽: '封鎖',
  保存: '儲存',
  令牌: '權杖',
  密钥: '金鑰',
  二维码: 'QR 碼',
  连字符: '連字號',
  举报: '檢舉',
};

const SIMPLIFIED =
  '败帮报备闭边编变标别并补苍册层场尝长车称触处传创从丛错达带单当岛敌递点电叠丢东动独读断队对顿夺额饿发范飞丰复负该盖刚个给够关观规龟滚过号红后护户话坏还换黄毁会获机饥级几计记际继价间' +
  '检捡简见键将脚较阶结紧仅进尽经举据决绝开课块况扩来蓝栏兰览类离连链练两猎邻领龙录陆虑绿轮论罗码马吗满么没门们庙灭脑内鸟钮鸥盘喷频凭评谱齐启气弃浅强抢请区权确让认赛扫删设审声胜师时实' +
  '识势适视试寿输书属术数双谁说诉随损缩獭腾题体条统头图网围为纹问无务误习戏虾显现线响项晓写谢须许绪续选学询寻压颜样页遗义议应赢优邮于鱼与屿语员圆远钥阅运载暂择则占战张账这针争证执钟终' +
  '种筑专转庄着资总组浏里余签鹦鹉鹭鸬鹚鹈鹕鲼獭档维销静联营厅摇篮烧医觅访归贴办';
const TRADITIONAL =
  '敗幫報備閉邊編變標別並補蒼冊層場嘗長車稱觸處傳創從叢錯達帶單當島敵遞點電疊丟東動獨讀斷隊對頓奪額餓發範飛豐復負該蓋剛個給夠關觀規龜滾過號紅後護戶話壞還換黃毀會獲機飢級幾計記際繼價間' +
  '檢撿簡見鍵將腳較階結緊僅進盡經舉據決絕開課塊況擴來藍欄蘭覽類離連鏈練兩獵鄰領龍錄陸慮綠輪論羅碼馬嗎滿麼沒門們廟滅腦內鳥鈕鷗盤噴頻憑評譜齊啟氣棄淺強搶請區權確讓認賽掃刪設審聲勝師時實' +
  '識勢適視試壽輸書屬術數雙誰說訴隨損縮獺騰題體條統頭圖網圍為紋問無務誤習戲蝦顯現線響項曉寫謝須許緒續選學詢尋壓顏樣頁遺義議應贏優郵於魚與嶼語員圓遠鑰閱運載暫擇則佔戰張賬這針爭證執鐘終' +
  '種築專轉莊著資總組瀏裡餘籤鸚鵡鷺鸕鶿鵜鶘鱝獺檔維銷靜聯營廳搖籃燒醫覓訪歸貼辦';

const word = new RegExp(Object.keys(WORDS).join('|'), 'g');
const characters = new Map([...SIMPLIFIED].map((one, i) => [one, TRADITIONAL[i]]));

/** @param {string} text in simplified Chinese */
export const traditional = (text) =>
  text.replace(word, (found) => WORDS[found]).replace(/[\u4e00-\u9fff]/g, (one) => characters.get(one) ?? one);
